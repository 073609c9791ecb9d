internal import Credentials
package import Reporting
internal import Runs
package import Settings

/// Prints the provider token that `send` would use.
package struct PrintToken {
  let options: Settings
  let context: Context

  package init(options: Settings, context: Context) {
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` if there is no key that can sign.
  package func run() throws(Failure) -> Report {
    try options.refuseTwoInputs(context)
    var settings = try options.merged(reading: [.credentials], context)
    try settings.findCredentials(context)
    let credentials = try OpenedCredentials.key(settings, context)
    context.teller.note(credentials.warnings.parts)
    return Report(parts: [.lines([.verbatim(try credentials.providerToken().text)])])
  }
}
