//! The book: its pages, what they show, and what is typed in them.

mod commands;
mod examples;
mod figures;
mod labs;
mod ladders;
mod pages;
mod typed;
