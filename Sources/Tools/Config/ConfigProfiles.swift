internal import PlainText
package import Reporting
package import Settings

/// Prints the names of all profiles.
package struct ConfigProfiles {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  package func run() throws(Failure) -> ExitCode {
    let profiles = try context.configuration.profiles().files.flatMap(\.profiles)
    var seen: Set<String> = []
    for profile in profiles where seen.insert(profile.name).inserted {
      context.output.write(profile.name.printable + "\n")
    }
    return .success
  }
}
