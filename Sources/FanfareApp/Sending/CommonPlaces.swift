internal import APNS
internal import HTTP2
internal import Projects
internal import PushEmulator
internal import Synchronization

/// Servers that several sendings connect to. An emulator in this process serves all of them, unless
/// a script makes it count: then each scenario has its own.
final class CommonPlaces: Sendable {
  private struct Key: Hashable {
    let environment: PushEnvironment
    let roots: String?
    let proxy: ProxySetting?
    let emulatesProduction: Bool
    /// The scenario that has an emulator of its own; nil where one serves all.
    let owner: String?
  }

  private let script: FaultScript?
  private let scripts = Mutex<[String: FaultScript]>([:])
  private let places = Mutex<[Key: ServerPlace]>([:])

  /// Servers without a script.
  init() { script = nil }

  /// - Parameter path: a script of what every emulator does, whatever a scenario says; nil leaves it
  ///   to them.
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  init(script path: String?) throws(Failure) {
    script = if let path { try readScript(path) } else { nil }
  }

  /// What an emulator does for a scenario; nil for nothing out of the ordinary.
  ///
  /// - Throws: `Failure` when it cannot be read, or something is wrong with it.
  func script(for scenario: Scenario?) throws(Failure) -> FaultScript? {
    if let script { return script }
    guard let path = scenario?.script else { return nil }
    if let script = scripts.withLock({ $0[path] }) { return script }
    let script = try readScript(path)
    scripts.withLock { $0[path] = script }
    return script
  }

  /// A server, ready to be connected to.
  func place(
    of server: ServerChoice, for scenario: Scenario?, _ context: Context
  ) throws(Failure) -> ServerPlace {
    let script = server.environment == .emulator ? try script(for: scenario) : nil
    let key = Key(
      environment: server.environment, roots: server.roots, proxy: server.proxy,
      emulatesProduction: server.emulatesProduction, owner: script.flatMap { _ in scenario?.file })
    if let place = places.withLock({ $0[key] }) { return place }
    var configuration = EmulatorConfiguration()
    script?.apply(to: &configuration)
    let place = try ServerPlace(server, context, emulator: configuration)
    return places.withLock { places in
      let first = places[key] ?? place
      places[key] = first
      return first
    }
  }
}
