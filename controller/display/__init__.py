"""The screens: pages rendered here and pushed by region."""
