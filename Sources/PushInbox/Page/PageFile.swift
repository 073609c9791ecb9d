/// A file of the page.
struct PageFile: Sendable {
  /// The path in its URL; `/` for the page itself.
  let path: String
  let contentType: String
  let text: String

  /// Every file of the page: the folder `Web`, which `Package.swift` has embedded.
  static let all = Embedded.web.map { file in
    let ending = file.name.split(separator: ".").last.map(String.init) ?? ""
    return PageFile(
      path: file.name == "index.html" ? "/" : "/\(file.name)",
      contentType: contentTypes[ending] ?? "application/octet-stream", text: file.text)
  }

  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
}
