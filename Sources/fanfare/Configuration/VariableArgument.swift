internal import APNS
internal import CommandLineKit
internal import JSONText
internal import Projects

/// `NAME=VALUE`, the text that a placeholder takes for every recipient without a value of its own.
struct VariableArgument: ArgumentValue, Equatable {
  let name: String
  let value: String

  init(argument word: String) throws(BadValue) {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw .expected("NAME=VALUE")
    }
    name = String(word[..<equals])
    value = String(word[word.index(after: equals)...])
    if !Template.isName(name) {
      throw .because("a name is made of letters, digits, '_', '-' and dots, and is not 'now'")
    }
  }

  var argumentText: String { "\(name)=\(value)" }
}

extension DraftAssembly {
  /// What placeholders take where a row has no value: what `--var` says, else what the
  /// scenario says, else the profile.
  func variables() throws(Failure) -> [String: JSON] {
    var variables: [String: JSON] = [:]
    for said in what.variables {
      if variables[said.name] != nil { throw .usage(.repeated("--var \(said.name)")) }
      variables[said.name] = JSON(.string(said.value))
    }
    let usual = try context.profile()?.variables ?? [:]
    return usual.merging(scenario?.variables ?? [:]) { $1 }.merging(variables) { $1 }
  }
}
