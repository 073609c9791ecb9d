internal import PlainText

/// Explains rows of the fact tables, offline.
package struct Explain {
  /// The names to explain; none for the list of all.
  let words: [String]
  let asJSON: Bool
  let context: Context

  package init(words: [String], asJSON: Bool, context: Context) {
    (self.words, self.asJSON, self.context) = (words, asJSON, context)
  }

  /// The names that a shell completes without quotes.
  package static var completions: [String] {
    ExplainedTopic.all.map(\.name).filter { !$0.contains { "[]$".contains($0) } }
  }

  /// - Throws: `Failure.unknownTopic`.
  package func run() throws(Failure) -> ExitCode {
    let all = ExplainedTopic.all
    var found = words.isEmpty ? all : []
    for word in words { found += try Self.topics(word, among: all) }
    let isList = words.isEmpty && !asJSON
    let parts = isList ? ExplainedTopic.list(all) : [.list(nil, found.map(\.parts))]
    return context.tell(Report(parts: parts, form: .array), asJSON: asJSON)
  }

  private static func topics(
    _ word: String, among all: [ExplainedTopic]
  ) throws(Failure) -> [ExplainedTopic] {
    let found = all.filter { $0.answers(to: word) }
    if found.isEmpty {
      throw .unknownTopic(word, near: Suggestion.near(word, among: all.map(\.name)))
    }
    return found
  }
}

extension Failure {
  /// There is nothing of this name to explain.
  static func unknownTopic(_ word: String, near: [String]) -> Failure {
    Failure(
      "There is nothing called '\(word.printable)'.",
      fix: near.isEmpty
        ? "'fanfare explain' lists everything it can explain."
        : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
  }
}
