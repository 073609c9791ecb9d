/// The manual page in mdoc, generated from a description, for `man`, `mandoc` and `groff`.
public enum ManualPage {
  /// Returns the page, for section 1.
  ///
  /// - Parameters:
  ///   - tool: The tool to describe.
  ///   - date: The date of the page in mdoc's form: "May 3, 2026".
  /// - Returns: The page's source.
  public static func text(of tool: ToolDescription, date: String) -> String {
    var lines = [".Dd \(date)", ".Dt \(tool.name.uppercased()) 1", ".Os"]
    lines += [".Sh NAME", Roff.macro("Nm", tool.name), Roff.macro("Nd", tool.root.summary.clause)]
    lines += [".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options", ".Nm", ".Fl \\-version"]
    lines += [".Sh DESCRIPTION"]
    lines += Roff.paragraphs(tool.root.summary + "\n\n" + tool.root.discussion)
    lines += common(tool)
    lines += [".Sh COMMANDS"] + tool.commands.flatMap(section)
    lines += table("ENVIRONMENT", ".It Ev", tool.environment)
    lines += table("FILES", ".It Pa", tool.files)
    lines += table("EXIT STATUS", ".It", tool.exitCodes)
    return (lines + examples(tool.root, title: ".Sh EXAMPLES")).joined(separator: "\n") + "\n"
  }

  private static func section(for command: CommandDescription) -> [String] {
    var lines = [Roff.macro("Ss", command.line)] + Roff.paragraphs(command.summary)
    lines += [".Pp", Roff.macro("Dl", command.usage)]
    if !command.discussion.isEmpty { lines += [".Pp"] + Roff.paragraphs(command.discussion) }
    for group in command.groups where group.parameters.last != .help {
      lines += [".Pp"] + Roff.text(group.title + ":") + [".Bl -tag -width Ds"]
      lines += group.parameters.flatMap(item) + [".El"]
    }
    return lines + examples(command, title: ".Pp\nExamples:")
  }

  private static func common(_ tool: ToolDescription) -> [String] {
    if tool.common.isEmpty { return [] }
    let items = tool.common.flatMap(item)
    return [".Sh OPTIONS"] + Roff.text("Every command takes these:")
      + [".Bl -tag -width Ds"] + items + [".El"]
  }

  private static func item(for parameter: ParameterDescription) -> [String] {
    let names = parameter.spellings.map { Roff.words("Fl", String($0.dropFirst())) }
    var tag = names.isEmpty ? [] : [names.joined(separator: " , ")]
    if let value = parameter.value {
      tag.append((parameter.isValueOptional ? "Ns Op = Ns " : "") + Roff.words("Ar", value))
    }
    let meaning = ([parameter.help] + parameter.facts).joined(separator: " ")
    return [".It " + tag.joined(separator: " ")] + Roff.text(meaning)
  }

  private static func table(_ title: String, _ macro: String, _ rows: [Definition]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let items = rows.flatMap { row in
      [Roff.words(macro, row.term)] + Roff.text(row.meaning)
    }
    return [".Sh \(title)", ".Bl -tag -width Ds"] + items + [".El"]
  }

  private static func examples(_ command: CommandDescription, title: String) -> [String] {
    guard !command.examples.isEmpty else { return [] }
    let items = command.examples.map { example in
      Roff.text(example.meaning) + [".Bd -literal -offset indent"]
        + example.lines(to: HelpText.commandWidth - 8).map(Roff.literal) + [".Ed"]
    }
    return [title] + items.joined(separator: [".Pp"])
  }
}

/// Escaping and line breaking for roff.
private enum Roff {
  /// A macro line in which no word of `text` is taken for another macro.
  static func macro(_ name: String, _ text: String) -> String { "." + words(name, text) }

  /// A line that is shown as it is.
  static func literal(_ line: String) -> String { escaped(line[...]) }

  static func words(_ name: String, _ text: String) -> String {
    ([name] + text.split(separator: " ").map(argument)).joined(separator: " ")
  }

  /// Lines of running text; each sentence ends its line, as mdoc recommends.
  static func text(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      let safe = escaped(word)
      if last.isEmpty || (!last.hasSuffix(".") && last.count + 1 + safe.count <= 78) {
        lines[lines.count - 1] = last.isEmpty ? safe : last + " " + safe
      } else {
        lines.append(safe)
      }
    }
    return lines.filter { !$0.isEmpty }.map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
  }

  static func paragraphs(_ text: String) -> [String] {
    Array(text.paragraphs.map(Roff.text).joined(separator: [".Pp"]))
  }

  /// Escapes a word: a short one may be a macro's name, or punctuation that mdoc would move.
  private static func argument(_ word: Substring) -> String {
    (word.count <= 3 ? "\\&" : "") + escaped(word)
  }

  private static func escaped(_ word: Substring) -> String {
    word.unicodeScalars.map { escapes[$0] ?? ($0.isASCII ? String($0) : named($0)) }.joined()
  }

  /// Escapes a character by number, which every roff understands; groff reads Latin-1 by default.
  private static func named(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
  }

  private static let escapes: [Unicode.Scalar: String] = [
    "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "\"": "\\(dq", "^": "\\(ha",
    "~": "\\(ti",
  ]
}

extension String {
  /// The summary as an mdoc description: no capital (except abbreviations), no full stop.
  fileprivate var clause: String {
    let text = hasSuffix(".") ? String(dropLast()) : self
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
