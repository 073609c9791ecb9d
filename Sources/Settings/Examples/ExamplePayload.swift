package import APNS
internal import PlainText
package import Reporting

/// A payload built into the program: a file of the `payloads` folder, embedded by `Package.swift`.
package struct ExamplePayload: Sendable, Equatable {
  /// The push type and a name: `alert/plain`.
  package let name: String
  /// A sentence about what it shows, from payloads/README.md.
  package let summary: String
  /// The file's text.
  package let text: String

  /// Every payload, in the order of payloads/README.md.
  package static let all = Embedded.payloads.map { file in
    ExamplePayload(name: String(file.name.dropLast(5)), summary: file.summary, text: file.text)
  }

  /// The names, in the same order.
  package static let names = all.map(\.name)

  /// The push type after which its folder is named.
  package var pushType: PushType? {
    PushType(rawValue: name.split(separator: "/").first.map(String.init) ?? "")
  }

  /// The name without the push type.
  fileprivate var shortName: String { name.split(separator: "/").last.map(String.init) ?? name }
}

// Lookup.
extension ExamplePayload {
  /// The example with a name. The push type may be left out if the name is unambiguous, and a path
  /// in the `payloads` folder works too.
  ///
  /// - Throws: `Failure` when no example matches, or several do.
  package static func named(_ word: String) throws(Failure) -> ExamplePayload {
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

extension Failure {
  static func unknownExample(_ word: String, near: [String]) -> Failure {
    Failure(
      "There is no example called '\(word.prefix(60).printable)'.",
      fix: Suggestion.question(near) ?? "'fanfare example' lists them.")
  }

  static func ambiguousExample(_ word: String, _ names: [String]) -> Failure {
    Failure(
      "Several examples are called '\(word.prefix(60).printable)'.",
      fix: "Give one of \(names.map { "'\($0)'" }.joined(separator: ", ")).")
  }
}
