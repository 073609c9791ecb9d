internal import CommandLineKit
internal import Credentials

/// `fanfare token`
struct PrintToken: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "token", "Print a provider token for use with other tools.",
    discussion: """
      The token is a secret for an hour. It is the one that 'fanfare send' uses and keeps in your \
      cache folder, so it stays the same for 50 minutes: APNs refuses senders whose tokens change \
      too often. --no-token-cache signs a new one and does not store it.
      """,
    examples: [
      Example(
        "fanfare token --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ",
        "What follows 'authorization: bearer'.")
    ])

  var credentials = CredentialOptions()
  var profile: String?

  static let groups = [
    CredentialOptions.group.inside(\Self.credentials),
    OptionGroup<Self>("Where", [NamedProfile.option(\.profile)]),
  ]

  func run(_ context: Context) throws -> ExitCode {
    let inputs = credentials.readingStandardInput
    if inputs.count > 1 { throw Failure.usage(.conflict("\(inputs[0]) -", "\(inputs[1]) -")) }
    let chosen = try CredentialChoice.resolveKey(credentials, context.naming(profile))
    CredentialWarning.tell(chosen.warnings, context)
    do throws(SigningKeyError) {
      context.output.write(try chosen.tokens.token().text + "\n")
      return .success
    } catch {
      throw Failure.key(name: chosen.name, error)
    }
  }
}
