//! What is declared against what is served.
