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
RUN python -m venv /opt/airworthy \
    && /opt/airworthy/bin/pip install --no-cache-dir --constraint constraints/python3.12.txt ".[pdf]" pytest-xdist

FROM python:3.12-slim
ENV PATH=/opt/airworthy/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# A named volume gets the owner of the folder on which it is first mounted.
RUN useradd --create-home --uid 10001 airworthy \
    && install --directory --owner=airworthy --group=airworthy /work /authority
COPY --from=build /opt/airworthy /opt/airworthy
USER 10001
WORKDIR /work
EXPOSE 8443 8080
ENTRYPOINT ["airworthy"]
CMD ["--help"]
