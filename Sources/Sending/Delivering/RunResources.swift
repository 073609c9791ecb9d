internal import APNS
package import Delivery
internal import HTTP2
package import Opening
package import PushEmulator
package import Reporting
internal import Runs
package import Settings
internal import Synchronization

/// What the runs of one command share: servers, connections, and the signal that ends them all.
///
/// An emulator in this process serves all runs, except that with a script each scenario has its own,
/// because scripts count requests.
package final class RunResources: Sendable {
  private struct Key: Hashable {
    let environment: PushEnvironment
    let address: ServerAddress?
    let roots: String?
    let proxy: ProxySetting?
    let emulatesProduction: Bool
    /// The scenario that has an emulator of its own; nil where one serves all.
    let owner: String?
  }

  /// Connections that later runs reuse; nil for the only run of a command, which closes its own.
  package let links: LinkPools?
  /// Several runs at once would overwrite each other's progress line.
  package let showsProgress: Bool
  package let cancellation = Cancellation()

  /// The script for every emulator, in place of those of scenarios; nil leaves theirs.
  private let script: FaultScript?
  private let scripts = Mutex<[String: FaultScript]>([:])
  private let endpoints = Mutex<[Key: Endpoint]>([:])
  /// Whether a run has begun the files of results, to which all runs write.
  private let hasBegunOutputs = Mutex(false)

  /// For a command with a single run, or with one run after the other.
  ///
  /// - Parameter links: the connections that each run leaves to the next; nil for a single run.
  init(links: LinkPools? = nil) { (self.links, showsProgress, script) = (links, true, nil) }

  /// - Parameter path: a script for every emulator, in place of those of scenarios; nil leaves
  ///   theirs.
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  package init(script path: String?, links: LinkPools, showsProgress: Bool) throws(Failure) {
    (self.links, self.showsProgress) = (links, showsProgress)
    script = if let path { try readScript(path) } else { nil }
  }

  /// Whether scenarios' own scripts are not used.
  package var replacesScripts: Bool { script != nil }

  /// The script that the emulator plays for a scenario; nil for none.
  ///
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  package func script(for scenario: Scenario?) throws(Failure) -> FaultScript? {
    if let script { return script }
    guard let path = scenario?.script else { return nil }
    if let script = scripts.withLock({ $0[path] }) { return script }
    let script = try readScript(path)
    scripts.withLock { $0[path] = script }
    return script
  }

  /// Begins the files of results, once: earlier results are kept until the first run can begin.
  ///
  /// - Parameters:
  ///   - run: the run that goes on: results are appended to those of earlier passes. Nil for a new one.
  ///   - appending: whether what is in the files stays in any case.
  func begin(
    _ outputs: inout RunOutputs, continuing run: CommittedRun?, appending: Bool,
    _ settings: Settings, _ context: Context
  ) throws(Failure) {
    try hasBegunOutputs.withLock { (hasBegun) throws(Failure) in
      if !hasBegun { try outputs.begin(continuing: run, appending: appending, settings, context) }
      hasBegun = true
    }
  }

  package func endpoint(
    of server: ServerChoice, for scenario: Scenario?, _ context: Context
  ) throws(Failure) -> Endpoint {
    let script = server.environment == .emulator ? try script(for: scenario) : nil
    let key = Key(
      environment: server.environment, address: server.address, roots: server.roots,
      proxy: server.proxy, emulatesProduction: server.emulatesProduction,
      owner: script.flatMap { _ in scenario?.file })
    if let endpoint = endpoints.withLock({ $0[key] }) { return endpoint }
    var configuration = EmulatorConfiguration()
    script?.apply(to: &configuration)
    let endpoint = try Endpoint(server, context, emulator: configuration)
    return endpoints.withLock { endpoints in
      let first = endpoints[key] ?? endpoint
      endpoints[key] = first
      return first
    }
  }
}
