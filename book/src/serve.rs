//! A server for the built book on this machine only: files of one folder, over HTTP.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::{fs, io, thread};

/// Answers each connection with a file below `folder`, and never ends.
pub fn serve(listener: &TcpListener, folder: &Path) -> io::Result<()> {
    loop {
        let (connection, _) = listener.accept()?;
        let folder = folder.to_path_buf();
        // A browser opens several connections at once, and keeps some without asking for anything. One that it closes is no error.
        thread::spawn(move || answer(&connection, &folder));
    }
}

/// Reads a request and writes the file that it names.
fn answer(mut connection: &TcpStream, folder: &Path) -> io::Result<()> {
    let mut request = String::new();
    BufReader::new(connection).read_line(&mut request)?;
    let wanted = request.split(' ').nth(1).and_then(|path| file_of(path, folder));
    let (status, kind, content) = match wanted.and_then(|path| Some((kind(&path), fs::read(path).ok()?))) {
        Some((kind, content)) => ("200 OK", kind, content),
        None => ("404 Not Found", "text/plain", b"no such page\n".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(&content)
}

/// The file that the path of a request means; nothing outside of the folder.
fn file_of(path: &str, folder: &Path) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.trim_start_matches('/');
    let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let file = folder.join(path);
    is_inside.then(|| if file.is_dir() { file.join("index.html") } else { file })
}

/// What browsers need to know of a file.
fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn files_of_the_folder_are_served_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("book");
        fs::create_dir_all(book.join("learn")).unwrap();
        fs::write(book.join("index.html"), "first").unwrap();
        fs::write(book.join("learn/banks.html"), "banks").unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, &book));
        let get = |path: &str| {
            let mut connection = TcpStream::connect(address).unwrap();
            write!(connection, "GET {path} HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
            let mut text = String::new();
            connection.read_to_string(&mut text).unwrap();
            let (head, content) = text.split_once("\r\n\r\n").unwrap();
            (head.split(' ').nth(1).unwrap().to_owned(), content.to_owned())
        };
        let told = |code: &str, content: &str| (code.to_owned(), content.to_owned());
        assert_eq!(get("/"), told("200", "first"));
        assert_eq!(get("/learn/banks.html?highlight=x"), told("200", "banks"));
        assert_eq!(get("/../secret"), told("404", "no such page\n"));
        assert_eq!(get("/gone.html"), told("404", "no such page\n"));
    }
}
