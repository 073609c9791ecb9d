internal import APNS
internal import Credentials
internal import JSONText
internal import POSIX
internal import PlainText
internal import Reporting

/// Named settings, which apply where no option, scenario or variable sets a value.
package struct Profile: Sendable {
  package let name: String
  /// The profile's file, as a path from the working folder.
  package let file: String
  /// Its settings; ``Settings/credentialsOwner`` is the profile itself if it has credentials.
  package private(set) var settings: Settings

  /// Its credentials alone.
  package var credentials: Settings {
    var credentials = settings
    for part in Settings.parts where part != .credentials { credentials.forget(part) }
    return credentials
  }

  /// Reads a profile from JSON of a checked shape.
  ///
  /// - Parameter path: resolves a path in the file to one from the working folder.
  init(_ member: JSONMember, _ problems: ProblemList, path: @escaping (String) -> String) {
    let file = problems.file
    let reader = SettingsReader(
      json: member.value, place: "profiles.\(member.key).", problems: problems, path: path
    ) { .file(file, at: $0) }
    (self.name, self.file, settings) = (member.key, file, reader.settings())
    settings.credentialsOwner = reader.setting("credentials") { _ in name }
    settings.bundleID = reader.bundleID()
    for field in Settings.fields { reader.read(field, into: &settings) }
  }
}

extension SettingsReader {
  /// Reads the value of a key that only profiles have.
  fileprivate func read(_ field: SettingField, into settings: inout Settings) {
    guard let file = field.file, !file.isShared,
      let member = json.object?.members.first(where: { $0.key == field.name }),
      !field.read(&settings, member.value, origin(member.keyPosition), path),
      let fault = file.fault, let text = member.value.string,
      !file.isTime || TimeSpan.milliseconds(text) != nil
    else { return }
    problems.add(member.value, place + field.name, fault.message, fix: fault.fix)
  }
}

/// The reason another user could have written a file.
enum OwnershipFault: Equatable {
  /// A file or folder belongs to another user, other than root.
  case owner(path: String, user: UInt32)
  /// Group or others may write to a file or folder.
  case writable(path: String, mode: UInt16)

  /// Checks a file and its folder; for a link, its target and that folder too. Nil when only the
  /// user and root can write to them.
  init?(of path: String) {
    let real = realPath(path) ?? path
    let places = [path, parentFolder(of: path), parentFolder(of: real)]
    guard let fault = places.compactMap(Self.init(at:)).first else { return nil }
    self = fault
  }

  private init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_uid != geteuid(), status.st_uid != 0 {
      self = .owner(path: path, user: status.st_uid)
    } else if status.st_mode & 0o022 != 0 {
      self = .writable(path: path, mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777))
    } else {
      return nil
    }
  }

  var clause: String {
    switch self {
    case .owner(let path, let user): "\(path.printable) belongs to another user (\(user))"
    case .writable(let path, let mode):
      "\(path.printable) is writable by other users (mode \(octal(mode)))"
    }
  }

  /// The command that fixes it.
  var cure: String {
    switch self {
    case .owner(let path, _): "chown \(geteuid()) \(shellWord(path))"
    case .writable(let path, _): "chmod go-w \(shellWord(path))"
    }
  }
}
