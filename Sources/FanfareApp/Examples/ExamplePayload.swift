internal import APNS
internal import JSONText
internal import PlainText

/// A payload that comes with the program: a file of the folder `payloads`.
package struct ExamplePayload: Sendable, Equatable {
  /// The push type and a name: `alert/plain`.
  package let name: String
  /// What it shows, in one sentence.
  package let summary: String
  /// The file's text.
  package let text: String

  init(_ name: String, _ summary: String, _ text: String) {
    (self.name, self.summary, self.text) = (name, summary, text)
  }

  /// The push type that its folder is named after.
  var pushType: PushType? {
    PushType(rawValue: name.split(separator: "/").first.map(String.init) ?? "")
  }

  /// The name without the push type.
  fileprivate var shortName: String { name.split(separator: "/").last.map(String.init) ?? name }
}

// How they are found.
extension ExamplePayload {
  /// The example with this name; the push type may be left out where that is clear, and a path of
  /// the folder `payloads` does as well.
  ///
  /// - Throws: `Failure` when there is none, or several.
  static func named(_ word: String) throws(Failure) -> ExamplePayload {
    let steps = word.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
    let path = steps.joined(separator: "/")
    let name = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    if let example = all.first(where: { $0.name == name }) { return example }
    let found = all.filter { $0.shortName == name }
    if found.count > 1 { throw .ambiguousExample(word, found.map(\.name)) }
    guard let example = found.first else { throw .unknownExample(word, near: near(name)) }
    return example
  }

  private static func near(_ word: String) -> [String] {
    let whole = Suggestion.near(word, among: names)
    if !whole.isEmpty { return whole }
    let last = word.split(separator: "/").last.map(String.init) ?? word
    let short = Suggestion.near(last, among: all.map(\.shortName))
    return all.filter { short.contains($0.shortName) }.map(\.name)
  }
}

// How they are sent.
extension ExamplePayload {
  /// The payload. The dates of a Live Activity are moved as if it had been written now: a device
  /// ignores one that is older than what it shows.
  ///
  /// - Parameter now: seconds since 1970.
  func draft(now: Int64) -> DraftPayload {
    let payload = DraftPayload(reading: Array(text.utf8), file: name)
    guard var root = payload.json?.object, var aps = root["aps"]?.object,
      let written = aps["timestamp"]?.number?.int
    else { return payload }
    for key in ["timestamp", "stale-date", "dismissal-date"] {
      guard let date = aps[key]?.number?.int else { continue }
      aps[key] = JSON(.number(JSONNumber(date - written + Int(now))))
    }
    root["aps"] = JSON(.object(aps))
    let json = JSON(.object(root))
    return DraftPayload(json, bytes: json.encoded(.wire), file: name)
  }
}

extension Failure {
  static func unknownExample(_ word: String, near: [String]) -> Failure {
    Failure(
      "There is no example called '\(word.prefix(60).printable)'.",
      fix: near.isEmpty
        ? "'fanfare example' lists them."
        : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
  }

  static func ambiguousExample(_ word: String, _ names: [String]) -> Failure {
    Failure(
      "Several examples are called '\(word.prefix(60).printable)'.",
      fix: "Give one of \(names.map { "'\($0)'" }.joined(separator: ", ")).")
  }
}
