internal import CommandLineKit
internal import JSONText
internal import PlainText

/// `fanfare explain`
struct Explain: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "explain", "Explain a header, push type, key, reason or exit code, offline.",
    discussion: "Without a word it lists everything that can be explained.",
    examples: [
      Example("fanfare explain BadDeviceToken", "What APNs means, and what to do."),
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
          "word", \.words, help: "What to explain, as it is written anywhere.",
          completion: .words(
            ExplainedTopic.all.map(\.name).filter { !$0.contains { "[]$".contains($0) } })),
        .flag("json", \.json, help: "Print an array of JSON objects."),
      ])
  ]

  func run(_ context: Context) throws -> ExitCode {
    let found = words.isEmpty ? ExplainedTopic.all : try words.flatMap(topics)
    if json {
      context.output.write(ExplainText.json(found))
    } else if words.isEmpty {
      context.output.write(ExplainText.list(found))
    } else {
      let style = Style(hasColor: context.output.hasColor)
      context.output.write(
        ExplainText.text(found, style: style, width: context.output.width))
    }
    return .success
  }

  private func topics(_ word: String) throws(Failure) -> [ExplainedTopic] {
    let found = ExplainedTopic.all.filter { $0.answers(to: word) }
    if !found.isEmpty { return found }
    let names = ExplainedTopic.all.map(\.name)
    throw .unknownTopic(word, near: Suggestion.near(word, among: names))
  }
}
