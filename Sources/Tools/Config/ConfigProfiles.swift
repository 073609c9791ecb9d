internal import PlainText
package import Reporting
package import Settings

/// Prints the names of all profiles.
package struct ConfigProfiles {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  package func run() throws(Failure) -> Report {
    let profiles = try context.configuration.profiles().files.flatMap(\.profiles)
    var seen: Set<String> = []
    let names = profiles.map(\.name).filter { seen.insert($0).inserted }
    return Report(parts: [.lines(names.map { .verbatim($0) })])
  }
}
