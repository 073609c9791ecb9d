import CommandLineKit
import Testing

@Suite("Usage messages")
struct UsageMessageTests {
  static let rows: [(words: [String], message: String)] = [
    (["brwe"], "Unknown command 'brwe'. Did you mean 'brew'?\nSee 'kettle --help'."),
    (["xyzzy"], "Unknown command 'xyzzy'.\nSee 'kettle --help'."),
    (
      ["brew", "--laef=x"],
      "Unknown option '--laef'. Did you mean '--leaf'?\nSee 'kettle brew --help'."
    ),
    (["brew", "-m"], "'--minutes' needs a value: N.\nSee 'kettle brew --help'."),
    (
      ["brew", "-m", "-1"],
      """
      '--minutes' needs a value: N. Write a value that begins with '-' as '--minutes=-…'.
      See 'kettle brew --help'.
      """
    ),
    (
      ["brew", "-l", "grean"],
      """
      '--leaf' does not take 'grean'. Did you mean 'green'? Allowed: green, black, oolong.
      See 'kettle brew --help'.
      """
    ),
    (
      ["brew", "-t", "hot"],
      "'--temperature' needs a whole number, not 'hot'.\nSee 'kettle brew --help'."
    ),
    (
      ["brew", "-t", "101"],
      "'--temperature' does not take '101': water boils at 100.\nSee 'kettle brew --help'."
    ),
    (["brew", "--quiet=1"], "'--quiet' does not take a value.\nSee 'kettle brew --help'."),
    (["brew", "-q", "-q"], "'--quiet' is given more than once.\nSee 'kettle brew --help'."),
    (["check", "x"], "'--strictness N' is required.\nSee 'kettle check --help'."),
    (["recipes", "show"], "Missing argument NAME.\nSee 'kettle recipes show --help'."),
    (["recipes", "list", "a"], "Unexpected argument 'a'.\nSee 'kettle recipes list --help'."),
    (["\u{1B}[31m\u{202E}"], "Unknown command '\\u{1b}[31m\\u{202e}'.\nSee 'kettle --help'."),
  ]

  @Test("each problem has its sentence", arguments: rows)
  func sentences(_ row: (words: [String], message: String)) throws {
    #expect(message(of: row.words) == row.message)
  }

  @Test("a long word, which may be a secret, shows its end only")
  func secrets() {
    let key = String(repeating: "secret", count: 20) + "the-end."
    #expect(
      message(of: ["recipes", "list", key])
        == "Unexpected argument '…the-end.'.\nSee 'kettle recipes list --help'.")
  }

  @Test("two options cannot be used together")
  func conflict() {
    let error = UsageError(.conflict("--one", "--other"), path: ["kettle", "brew"])
    #expect(
      error.message == "'--one' and '--other' cannot be used together.\nSee 'kettle brew --help'.")
  }

  private func message(of words: [String]) -> String? {
    do throws(UsageError) {
      _ = try kettle.parse(words)
      return nil
    } catch {
      return error.message
    }
  }
}
