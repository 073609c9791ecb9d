internal import CommandLineKit
internal import PushCore

/// `fanfare token`
struct PrintToken: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "token", "Print a provider token for use with other tools.",
    discussion: """
      The token is a secret for an hour: it goes to standard output and nowhere else. APNs wants a \
      token to be used for at least 20 minutes, so keep it instead of printing one per request.
      """,
    examples: [
      Example(
        "fanfare token --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ",
        "What belongs behind 'authorization: bearer'.")
    ])

  var credentials = CredentialOptions()

  static let groups = [CredentialOptions.group.inside(\Self.credentials)]

  func run(_ context: Context) throws -> ExitCode {
    let chosen = try CredentialChoice.resolve(credentials, scenario: nil, context)
    do throws(SigningKeyError) {
      context.output.write(try chosen.tokens.token().text + "\n")
      return .success
    } catch {
      throw Failure.key(name: credentials.key ?? EnvironmentVariable.key.rawValue, error)
    }
  }
}
