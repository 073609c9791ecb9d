internal import APNS
internal import PlainText
internal import Reporting

// The apps and environments of named devices among what else says them.
extension Settings {
  /// Takes the app of devices, unless it is given here.
  ///
  /// - Throws: `Failure` when two devices differ in it.
  mutating func takeApp(of devices: [Device]) throws(Failure) {
    if bundleID != nil || self[.topic] != nil { return }
    bundleID = try devices.agreed(
      "--bundle-id", \.bundleID?.value, { $0.bundleID?.value ?? "" })?.bundleID
  }

  /// Takes the environment of devices, unless a variable or a profile says one that goes before it.
  ///
  /// - Parameter namesProfile: somebody chose the profile; it is not a file's default.
  /// - Throws: `Failure` when two devices differ in it.
  mutating func takePlace(
    of devices: [Device], _ namesProfile: Bool, _ context: Context
  ) throws(Failure) {
    if try goBefore(devices, namesProfile, context) { return }
    guard let device = try devices.agreed("--env", \.place, \.placeText) else { return }
    (environment, serverCA) = (device.environment, device.serverCA)
  }

  /// What is said to go to an emulator, or to a server on this machine, never goes to Apple. Another
  /// server counts if the user trusts whoever names it. Of Apple's two, the one that somebody chose
  /// counts, and devices of the other are asked about.
  private func goBefore(
    _ devices: [Device], _ namesProfile: Bool, _ context: Context
  ) throws(Failure) -> Bool {
    guard let environment else { return false }
    guard case .named(let place) = environment.value else { return environment.value.isEmulator }
    let isOfProfile = environment.origin.file != nil
    switch place {
    case .emulator, .inbox: return true
    case .production, .sandbox:
      return (!isOfProfile || namesProfile)
        && devices.contains { $0.environment?.value.named?.isApple ?? false }
    case .server(let address):
      if address.isLoopback || !isOfProfile { return true }
      return try ProjectTrust(self, context).isAgreed()
    }
  }

  /// The variable or profile that says the environment; nil when something else does.
  package func namerOfPlace(_ context: Context) -> String? {
    guard let origin = environment?.origin else { return nil }
    guard let file = origin.file else {
      return EnvironmentVariable(rawValue: origin.text)?.rawValue
    }
    return profile.flatMap {
      context.configuration.paths.contains(file) ? "profile \($0.value.printable)" : nil
    }
  }

  /// The environment that a variable or profile says, though a named device has another:
  /// `emulator (profile staging), though dev-phone is for sandbox`. Nil for any other.
  ///
  /// - Parameter others: the devices that a scenario names.
  package func placeNote(_ others: [Device] = [], _ context: Context) -> String? {
    guard let namer = namerOfPlace(context), let place = environment?.value else { return nil }
    let devices = others + (to?.value ?? []).compactMap(\.device)
    let elsewhere = devices.filter { $0.environment.map { $0.value != place } ?? false }
    guard let first = elsewhere.first else { return nil }
    let more = elsewhere.count > 1 ? ", and \(elsewhere.count - 1) more are not for it" : ""
    return "\(place.shown.printable) (\(namer)), though \(first.name.printable) is for "
      + "\(first.placeText.printable)\(more)"
  }
}

extension [Device] {
  /// The first device with a value; nil without one. Throws if another device differs.
  fileprivate func agreed<Value: Equatable>(
    _ option: String, _ value: (Device) -> Value?, _ text: (Device) -> String
  ) throws(Failure) -> Device? {
    let speaking = filter { value($0) != nil }
    guard let first = speaking.first else { return nil }
    if let other = speaking.first(where: { value($0) != value(first) }) {
      throw .devicesDisagree((first.name, text(first)), (other.name, text(other)), option: option)
    }
    return first
  }
}

extension Device {
  fileprivate struct Place: Equatable {
    var environment: EnvironmentSetting
    var roots: String?
  }

  fileprivate var place: Place? {
    environment.map { Place(environment: $0.value, roots: serverCA?.value) }
  }

  fileprivate var placeText: String { environment?.value.shown ?? "" }
}

extension Failure {
  fileprivate static func devicesDisagree(
    _ one: (name: String, says: String), _ other: (name: String, says: String), option: String
  ) -> Failure {
    Failure(
      "The device '\(one.name.printable)' is for \(one.says.printable), "
        + "'\(other.name.printable)' for \(other.says.printable).",
      fix: "Send to one after the other, or give \(option).", rule: "device")
  }
}
