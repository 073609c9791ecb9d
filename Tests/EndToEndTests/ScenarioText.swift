import SendingSupport

/// Scenarios, and a script, that tests write into files.
enum ScenarioText {
  static func twoSteps(wait: String, name: String = "A") -> String {
    """
    {name: "\(name)", bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b"))"], steps: [
      {notification: {payload: {aps: {alert: "1"}}}}, {wait: "\(wait)"},
      {notification: {payload: {aps: {alert: "2"}}}}]}
    """
  }

  static func good(_ name: String) -> String {
    """
    {name: "\(name)", bundleID: "a.b", environment: "emulator", recipients: ["\(device("0a1b"))"],
     notification: {payload: {aps: {alert: "Hi"}}}}
    """
  }

  static func dead(expecting expectation: String, more: Bool) -> String {
    let other = more ? ", {notification: {payload: {aps: {alert: '2'}}}}" : ""
    return """
      {name: "A", bundleID: "a.b", environment: "emulator", recipients: ["\(device("dead0a"))"], steps: [
       {name: "first", notification: {payload: {aps: {alert: "1"}}}, expect: \(expectation)}
       \(other)]}
      """
  }

  /// One that names ``script`` as `dead.json5`.
  static let scripted = good("A").replacing(
    #"environment: "emulator""#, with: #"environment: {emulator: {script: "dead.json5"}}"#)

  static let script =
    "{rules: [{when: {token: '\(device("dead0a"))'}, answer: {status: 410, reason: 'Unregistered'}}]}"
}
