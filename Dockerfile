# docker build --tag hardy .
# docker run --rm --volume "$PWD:/data" hardy audit table.csv --target label

FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m venv /opt/hardy && /opt/hardy/bin/pip install --no-cache-dir '.[parquet,review]'
# Compiles the inner loops once, beside the package, so that no run has to: numba takes them from
# there where the user may write, as below.
COPY examples/breast_cancer.csv /tmp/
RUN /opt/hardy/bin/hardy audit /tmp/breast_cancer.csv --target diagnosis --output /tmp/audit \
    && /opt/hardy/bin/hardy fit /tmp/breast_cancer.csv --target diagnosis --output /tmp/model.hardy

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 hardy
COPY --from=build --chown=hardy /opt/hardy /opt/hardy
ENV PATH="/opt/hardy/bin:$PATH" \
    MPLCONFIGDIR=/tmp/matplotlib
USER 1000
WORKDIR /data
# The review page: docker run --rm --volume "$PWD:/data" --publish 127.0.0.1:8477:8477 \
#     hardy review table.csv.audit --host 0.0.0.0 --no-browser
EXPOSE 8477
ENTRYPOINT ["hardy"]
CMD ["--help"]
