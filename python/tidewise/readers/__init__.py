"""Readers of formats decoded by other libraries; each returns xarray or pandas objects."""
