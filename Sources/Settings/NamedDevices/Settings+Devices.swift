package import APNS
internal import Credentials
internal import PlainText
package import Recipients
package import Reporting

extension Settings {
  /// Returns the settings with the names of `--to` replaced by devices.
  ///
  /// - Throws: `Failure.device` when a name is unknown.
  package func findingDevices(_ context: Context) throws(Failure) -> Settings {
    guard let to, to.value.contains(where: { $0.token == nil }) else { return self }
    var (found, lists): ([Addressee], [String]) = ([], [])
    for addressee in to.value {
      guard case .written(let text) = addressee else {
        found.append(addressee)
        continue
      }
      if let path = try context.list(text) {
        lists.append(path)
      } else if Device.isName(text) {
        found += try context.devices(text, namedBy: to.origin).map(Addressee.device)
      } else {
        guard let token = context.token(ofBase64: text, from: to.origin.text) else {
          throw .base64(text, to.origin, isShown: showTokens.isOn)
        }
        found.append(.token(token))
      }
    }
    var settings = self
    settings.to = found.isEmpty ? nil : Setting(found, to.origin)
    settings.addLists(lists)
    return settings
  }

  /// Returns the settings of an earlier run with its devices up to date. A device whose name is
  /// gone stays as it was.
  package func renewingDevices(_ context: Context) throws(Failure) -> Settings {
    guard let to, to.value.contains(where: { $0.device != nil }) else { return self }
    let known = try context.configuration.devices()
    var settings = self
    settings.to = Setting(
      to.value.flatMap { addressee -> [Addressee] in
        let found = addressee.device.flatMap { try? known.devices($0.name) }
        return found.map { $0.map(Addressee.device) } ?? [addressee]
      }, to.origin)
    return settings
  }
}

extension Context {
  /// The file of `@FILE`; nil for anything else, and for the name of a device.
  fileprivate func list(_ text: String) throws(Failure) -> String? {
    let path = String(text.dropFirst())
    guard text.hasPrefix("@"), fileExists(path) else { return nil }
    return try configuration.devices()[text] == nil ? path : nil
  }

  /// The device token that is written in base64, with a note; nil for anything else.
  ///
  /// - Parameter place: where it was given.
  package func token(ofBase64 text: String, from place: String) -> DeviceToken? {
    let digits = Base64URL.decodeLoosely(text.utf8).map { hexadecimal($0) }
    guard let token = digits.flatMap({ try? DeviceToken($0) }), token.hasUsualLength else {
      return nil
    }
    teller.note("\(place) is in base64: the device token is \(token.tail).")
    return token
  }

  /// The devices that a name stands for.
  ///
  /// - Throws: `Failure.device`.
  func devices(_ name: String, namedBy origin: Origin) throws(Failure) -> [Device] {
    let devices = try configuration.devices()
    do throws(DeviceError) { return try devices.devices(name) } catch {
      if case .unknown(name, nil, _, _) = error, origin.isOption,
        let clause = Addressee.clause(ofFile: name)
      {
        throw .usage("'\(origin.text)' does not take '\(name)': \(clause).")
      }
      throw failure(error, origin: origin.text)
    }
  }

  /// The failure for a name that stands for no device. If the name is unknown and the project's
  /// file unusable, that file is reported, because it may define the name.
  package func failure(_ error: DeviceError, origin: String) -> Failure {
    if case .unknown = error, let fault = configuration.projectFault { return fault }
    return .device(error, origin: origin)
  }

  /// Warns that the devices of the project's file are left out, if it cannot be used.
  package func warnOfProjectFile() {
    guard configuration.projectFault != nil, let path = configuration.projectFile else { return }
    teller.warn([
      .warning(
        "\(path.printable) cannot be used, so its devices are left out.",
        "'fanfare config show' says what is wrong with it.")
    ])
  }

  /// The recipients of a scenario's step, and the devices among them.
  ///
  /// - Throws: `Failure.device` when a name is unknown.
  package func found(
    _ recipients: [ScenarioRecipient]
  ) throws(Failure) -> (sources: [RecipientSource], devices: [Device]) {
    var (sources, devices): ([RecipientSource], [Device]) = ([], [])
    for recipient in recipients {
      switch recipient {
      case .source(let source, _): sources.append(source)
      case .device(let name, let list, let origin):
        let found = try self.devices(name, namedBy: origin)
        sources.append(.tokens(found.map(\.token), name: list))
        devices += found
      }
    }
    return (sources, devices)
  }

}

extension [RecipientSource] {
  /// A device token given on its own whose length is none of Apple's.
  ///
  /// - Parameter environment: the place it goes to; nil if that is not known.
  package func oddToken(for environment: PushEnvironment?) -> DeviceToken? {
    if environment?.hasOtherTokens ?? false { return nil }
    return lazy.compactMap(\.tokens).flatMap(\.self).first { !$0.hasUsualLength }
  }
}

extension RecipientSource {
  /// Device tokens given on their own; nil for a list.
  package var tokens: [DeviceToken]? {
    if case .tokens(let tokens, _) = self { tokens } else { nil }
  }
}

extension PushEnvironment {
  /// Device tokens for this environment come from Apple.
  package var isApple: Bool { self == .production || self == .sandbox }

  /// Another server than Apple's or the emulator, which may have device tokens of any length.
  package var hasOtherTokens: Bool { if case .server = self { true } else { false } }
}

extension EnvironmentSetting {
  /// The environment that is named; nil if it is yet to be found.
  package var named: PushEnvironment? { if case .named(let place) = self { place } else { nil } }
}

extension DeviceToken {
  /// The message that its length is none of Apple's, and the fix.
  package var oddity: (what: String, fix: String) {
    let (what, count) = ("The device token \(tail) has", hex.utf8.count)
    if count < Self.usualDigits {
      return (
        "\(what) \(counted(count, "digit")); Apple's have at least \(Self.usualDigits).",
        "Check that it was copied whole."
      )
    }
    let whole = count / Self.usualDigits
    return count.isMultiple(of: Self.usualDigits)
      ? (
        "\(what) \(count) digits, as many as \(whole) device tokens.",
        "Put a comma between device tokens."
      ) : ("\(what) \(count) digits; \(Self.lengthRule).", "Check that it was copied whole.")
  }

  /// The lengths of Apple's device tokens, as a clause.
  package static let lengthRule =
    "Apple's have \(usualLengths.map(String.init).joined(separator: " or "))"
}

extension Report.Part {
  package static func oddToken(_ token: DeviceToken) -> Self {
    .warning(token.oddity.what, token.oddity.fix)
  }
}

extension Failure {
  /// A name stands for no device. `origin` is the place of the name.
  static func device(_ error: DeviceError, origin: String) -> Failure {
    let (what, fix) = error.clauses
    return Failure("\(origin.printable): \(what)", fix: fix, cause: error, rule: "device")
  }

  /// Base64 in place of a device token. The digits are shown if device tokens may be.
  fileprivate static func base64(_ text: String, _ origin: Origin, isShown: Bool) -> Failure {
    Failure(
      "\(origin.text) does not take '…\(text.suffix(8).printable)': "
        + "\(DeviceTokenError.looksLikeBase64.clause).",
      fix: DeviceToken.fix(ofBase64: text, isShown: isShown))
  }
}

extension DeviceToken {
  /// The advice for converting base64 to digits.
  package static func fix(ofBase64 text: String, isShown: Bool) -> String {
    let digits = Base64URL.decodeLoosely(text.utf8).map { hexadecimal($0) }
    if isShown, let digits { return "In hexadecimal it is \(digits)." }
    return "'base64 -d | xxd -p -c 256' converts it, or add --show-tokens to see the digits."
  }
}

extension DeviceError {
  /// The problem with the name, and the fix.
  package var clauses: (what: String, fix: String) {
    switch self {
    case .unknown(let name, let group, let near, let names):
      let place = group.map { ", which the group '\($0.printable)' names" } ?? ""
      let file = name.hasPrefix("@") ? ", and no file '\(name.dropFirst().printable)'" : ""
      return ("There is no device '\(name.printable)'\(place)\(file).", Self.fix(near, names))
    case .tooDeep(let group):
      return (
        "The group '\(group.printable)' leads through more than \(Devices.mostNestedGroups) groups.",
        "Name the devices themselves in it."
      )
    case .loop(let group):
      return (
        "The group '\(group.printable)' contains itself.", "Remove it from its own members."
      )
    }
  }

  private static func fix(_ near: [String], _ names: [String]) -> String {
    if names.isEmpty {
      return "No device has a name yet. 'fanfare device add NAME TOKEN' gives one."
    }
    let all = "Devices: \(names.map(\.printable).joined(separator: ", "))."
    return [Suggestion.question(near), all].compactMap(\.self).joined(separator: " ")
  }
}
