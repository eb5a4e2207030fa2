# One image for front, worker and scheduler; the command chooses. Redis is a container of its own.
FROM python:3.13-slim AS build
WORKDIR /src
# What it runs with, in the locked versions; neither the tools of developers nor a second Redis.
COPY requirements.lock pyproject.toml ./
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
    print(*p['dependencies'], *p['optional-dependencies']['embeddings'], sep='\n')" > needed.txt \
    && python -m venv /opt/bilayer \
    && /opt/bilayer/bin/pip install --no-cache-dir --require-hashes -c requirements.lock -r needed.txt \
    && python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -c requirements.lock hatchling
COPY README.md LICENSE ./
COPY api api
COPY workers workers
COPY shared shared
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --no-index -w /wheels . \
    && /opt/bilayer/bin/pip install --no-cache-dir --no-deps --no-index /wheels/*.whl

FROM python:3.13-slim
RUN useradd --system --uid 10001 --user-group bilayer \
    && install -d -o bilayer -g bilayer -m 0700 /data
COPY --from=build /opt/bilayer /opt/bilayer
ENV PATH=/opt/bilayer/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    BILAYER_DATA_DIR=/data \
    BILAYER_HOST=0.0.0.0
USER bilayer
WORKDIR /data
VOLUME /data
EXPOSE 8420
STOPSIGNAL SIGTERM
# Of the front; worker and scheduler have theirs in docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8420/healthz', timeout=2)"]
CMD ["bilayer", "api"]
