internal import APNS
internal import Reporting
internal import Settings
internal import WebServer

/// The words of a command line, checked against the table.
struct AllowedWords: Sendable {
  /// The most that a command line has, in bytes.
  private static let limit = 512 << 10

  let words: [String]
  private let command: AllowedCommand
  private let names: Set<String>

  /// - Throws: `HTTPRefusal` for a word that is not allowed.
  init(_ words: [String], in folder: ProjectFolder) throws(HTTPRefusal) {
    let command = AllowedCommand.table.first { words.starts(with: $0.name) }
    guard let command else { throw .word(words.first ?? "") }
    if words.reduce(0, { $0 + $1.utf8.count }) > Self.limit { throw .tooLong }
    var names: Set<String> = []
    for word in words.dropFirst(command.name.count) {
      if word.utf8.contains(0) { throw .word(word) }
      if word.hasPrefix("--") {
        names.insert(try Self.option(word, of: command, folder))
      } else if !(try Self.isOperand(word, of: command, folder)) {
        throw .word(word)
      }
    }
    (self.words, self.command, self.names) = (words, command, names)
  }

  /// It reads standard input.
  private var readInput: Bool { command.operands == .input || words.contains("-") }

  /// The words to call the command with.
  ///
  /// - Throws: `HTTPRefusal` if it would send.
  func forCall() throws(HTTPRefusal) -> [String] {
    if let flags = command.needsForCall, names.isDisjoint(with: flags) {
      throw .needs(flags, command.name)
    }
    return words + command.added
  }

  /// The words to add to a run, which then sends what a plan has shown, or nothing.
  ///
  /// - Throws: `HTTPRefusal` if the command does not send.
  func forRun(plan: PlanID) throws(HTTPRefusal) -> [String] {
    guard command.isRun, names.isDisjoint(with: command.needsForCall ?? []) else {
      throw HTTPRefusal(
        HTTPRefusal.forbidden, "This command sends nothing.", fix: "Call it instead of running it.")
    }
    return (names.contains("json") ? [] : ["--json"]) + ["--results=-", "--yes=\(plan.text)"]
  }

  /// - Returns: the name of the option.
  private static func option(
    _ word: String, of command: AllowedCommand, _ folder: ProjectFolder
  ) throws(HTTPRefusal) -> String {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, value) = (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    guard let kind = command.options[name], try isAllowed(value, kind, folder) else {
      throw .word(word)
    }
    return name
  }

  private static func isAllowed(
    _ value: String?, _ kind: AllowedCommand.Value, _ folder: ProjectFolder
  ) throws(HTTPRefusal) -> Bool {
    guard let value else { return [.flag, .optional].contains(kind) }
    switch kind {
    case .flag: return false
    case .text, .optional: return true
    case .environment: return EnvironmentSetting.single.contains(value)
    case .recipients:
      // A name may begin with @, as a file does that is there.
      let isFile = fileExists("\(folder.root)/\(value.dropFirst())")
      return value != "-" && (!value.hasPrefix("@") || Device.isName(value) && !isFile)
    case .newFile: try folder.check(value)
    case .payload where value.first(where: { !$0.isWhitespace }) == "{": break
    case .file, .payload: try folder.checkReadable(value)
    }
    return true
  }

  private static func isOperand(
    _ word: String, of command: AllowedCommand, _ folder: ProjectFolder
  ) throws(HTTPRefusal) -> Bool {
    if word == "-" { return [.input, .filesOrInput].contains(command.operands) }
    switch command.operands {
    case .none, .input: return false
    case .texts: return !word.hasPrefix("-")
    case .files, .filesOrInput: try folder.checkReadable(word)
    }
    return true
  }
}

extension AllowedWords {
  /// Checks standard input: a curl command could name a file anywhere whose contents it sends.
  ///
  /// - Throws: `HTTPRefusal` if one may be meant.
  func check(input: String) throws(HTTPRefusal) {
    guard readInput else {
      throw HTTPRefusal(
        HTTPRefusal.badRequest, "The command reads no standard input.", fix: "Add the word '-'.")
    }
    let escapes = ["\\x40", "\\u40", "\\u040", "\\u0040", "\\U", "\\100"]
    let isEscaped = input.contains("$'") && escapes.contains(where: input.contains)
    guard command.operands == .input, isEscaped || Self.namesFile(in: input) else { return }
    throw HTTPRefusal(
      HTTPRefusal.forbidden, "The command reads its body from a file.",
      fix: "Paste a command that has its body in it.")
  }

  /// Tests for an `@` that is not in the middle of a word.
  private static func namesFile(in text: String) -> Bool {
    text.indices.contains { index in
      guard text[index] == "@" else { return false }
      let before = text[..<index]
      let rest = before.reversed().drop { $0.isLetter || $0.isNumber || $0 == "_" }
      let isWithin = before.last.map { $0.isLetter || $0.isNumber } ?? false
      return !isWithin || rest.first.map("-$\\{}".contains) ?? true
    }
  }
}

// Refusals of words.
extension HTTPRefusal {
  fileprivate static func word(_ word: String) -> HTTPRefusal {
    HTTPRefusal(
      forbidden, "The studio does not allow the word '\(word.prefix(100))' here.",
      fix: "docs/studio.md lists the commands and their options; values follow after '='.")
  }

  fileprivate static var tooLong: HTTPRefusal {
    HTTPRefusal(
      tooLarge, "The command line is longer than 512 KiB.",
      fix: "Put the device tokens into a list, which is a file with one on each line.")
  }

  fileprivate static func needs(_ flags: [String], _ name: [String]) -> HTTPRefusal {
    HTTPRefusal(
      forbidden,
      "A call of '\(name.joined(separator: " "))' needs "
        + "\(flags.map { "--\($0)" }.joined(separator: " or ")).",
      fix: "Run it to send.")
  }
}
