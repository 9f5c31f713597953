# For platforms whose volumes belong to root (Fly, Railway, Render): the image starts as root, gives /data to its own user and goes on as that user.
ARG IMAGE=ghcr.io/your-org/tidings:0.2.0
FROM ${IMAGE}
USER 0
