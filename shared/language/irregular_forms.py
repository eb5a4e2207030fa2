"""English irregular forms and the word each belongs to: the stemmer cannot know that went is go."""

from typing import Final

_TABLE: Final = """
be am is are was were been being
have has had having
do does did done
go went gone goes
see saw seen
eat ate eaten
give gave given
take took taken
make made
get got gotten
come came
become became
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
leave left
lend lent
lie lain
light lit
lose lost
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran running
say said
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show showed shown
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swim swam swum
swing swung
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
win won
write wrote written
child children
person people
man men
woman women
foot feet
tooth teeth
mouse mice
goose geese
wife wives
knife knives
leaf leaves
shelf shelves
half halves
wolf wolves
loaf loaves
mom mum mommy
dad daddy
photo photograph pic
"""

IRREGULAR: Final[dict[str, str]] = {
    form: line.split()[0] for line in _TABLE.strip().splitlines() for form in line.split()[1:]
}
"""Form -> head word; no form has two."""
