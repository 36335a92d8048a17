# docker build --tag airworthy .
# docker run --rm --volume "$PWD:/work" --user "$(id -u):$(id -g)" airworthy certify service --profile airworthy.toml
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md ./
COPY constraints constraints
COPY airworthy airworthy
COPY features features
COPY schemas schemas
COPY proxy_addons proxy_addons
COPY tests/conformance tests/conformance
RUN python -m venv --without-pip /opt/airworthy \
    && pip --python /opt/airworthy/bin/python install --no-cache-dir --constraint constraints/python3.12.txt ".[pdf]"

FROM python:3.12-slim
ENV PATH=/opt/airworthy/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# A process that is the first one of a container ignores signals until it handles them. Tini passes them on.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/*
# A named volume gets the owner of the folder on which it is first mounted.
RUN useradd --create-home --uid 10001 airworthy \
    && install --directory --owner=airworthy --group=airworthy /work /authority
COPY --from=build /opt/airworthy /opt/airworthy
USER 10001
WORKDIR /work
EXPOSE 8443 8080
ENTRYPOINT ["tini", "--", "airworthy"]
CMD ["--help"]
