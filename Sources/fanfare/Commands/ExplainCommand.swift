internal import CommandLineKit
internal import PlainText

/// `fanfare explain`
struct ExplainCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "explain", "Explain a header, push type, key, reason or exit code, offline.",
    discussion: "Without arguments it lists everything it can explain.",
    examples: [
      Example("fanfare explain BadDeviceToken", "What it means, and what to do."),
      Example("fanfare explain apns-priority", "A header."),
      Example("fanfare explain aps.interruption-level", "A key of the payload."),
    ])

  var words: [String] = []
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Explain",
      [
        .arguments(
          "word", \.words, help: "What to explain: a name as it is written elsewhere.",
          completion: .words(
            ExplainedTopic.all.map(\.name).filter { !$0.contains { "[]$".contains($0) } })),
        .flag("json", \.json, help: "Print an array of JSON objects."),
      ])
  ]

  func run(_ context: Context) throws -> ExitCode {
    let found = words.isEmpty ? ExplainedTopic.all : try words.flatMap(topics)
    let isList = words.isEmpty && !json
    let parts = isList ? ExplainedTopic.list : [.list(nil, found.map(\.parts))]
    return context.tell(Report(parts: parts, form: .array), asJSON: json)
  }

  private func topics(_ word: String) throws(Failure) -> [ExplainedTopic] {
    let found = ExplainedTopic.all.filter { $0.answers(to: word) }
    if !found.isEmpty { return found }
    let names = ExplainedTopic.all.map(\.name)
    throw .unknownTopic(word, near: Suggestion.near(word, among: names))
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
