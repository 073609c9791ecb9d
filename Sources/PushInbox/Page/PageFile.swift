/// A file of the page.
struct PageFile: Sendable {
  /// The path in its URL; `/` for the page itself.
  let path: String
  let contentType: String
  let text: String

  init(_ path: String, _ contentType: String, _ text: String) {
    (self.path, self.contentType, self.text) = (path, contentType, text)
  }
}
