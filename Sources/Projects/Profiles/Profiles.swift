internal import PlainText

/// The profiles that can be named: those of the project's file, then those of the user's own.
public struct Profiles: Sendable {
  /// The files, the one that is asked first in front.
  public let files: [ProfileFile]

  /// The profiles of these files.
  public init(_ files: [ProfileFile]) { self.files = files }

  /// The file that says which profile counts when nobody names one; nil when none does.
  public var usual: ProfileFile? { files.first { $0.usual != nil } }

  /// The profile of a name: the project's, else the user's.
  ///
  /// - Throws: `ProfileError.unknown`.
  public func profile(_ name: String) throws(ProfileError) -> Profile {
    guard let profile = all.first(where: { $0.name == name }) else { throw unknown(name) }
    return profile
  }

  /// The credentials of a profile, which may be another's.
  ///
  /// - Returns: them, and the profile in which they are written; nil when it has none.
  /// - Throws: `ProfileError` when it names another that is not there, or has none.
  public func credentials(
    of profile: Profile
  ) throws(ProfileError) -> (setting: CredentialsSetting, profile: Profile)? {
    var (profile, passed) = (profile, [Profile]())
    while case .profile(let name)? = profile.credentials {
      passed.append(profile)
      profile = try other(name, than: passed)
      if profile.credentials == nil { throw .noCredentials(profile: profile.name) }
    }
    return profile.credentials.map { ($0, profile) }
  }

  /// The credentials of the profile with a name.
  ///
  /// - Throws: `ProfileError` when there are none.
  public func credentials(
    of name: String
  ) throws(ProfileError) -> (setting: CredentialsSetting, profile: Profile) {
    guard let found = try credentials(of: try profile(name)) else {
      throw .noCredentials(profile: name)
    }
    return found
  }

  private var all: [Profile] { files.flatMap(\.profiles) }

  /// The profile of a name that does not lead back: one that names itself means the user's own.
  private func other(_ name: String, than passed: [Profile]) throws(ProfileError) -> Profile {
    let named = all.filter { $0.name == name }
    if named.isEmpty { throw unknown(name) }
    let next = named.first { profile in
      !passed.contains { $0.name == name && $0.file == profile.file }
    }
    guard let next else { throw .loop(passed.map(\.name) + [name]) }
    return next
  }

  private func unknown(_ name: String) -> ProfileError {
    let names = all.map(\.name)
    return .unknown(name, near: Suggestion.near(name, among: names), names: names)
  }
}

/// Why a profile cannot be used.
public enum ProfileError: Error, Sendable, Hashable {
  /// No file has a profile of this name. `near` are names that are nearly the same, `names` all.
  case unknown(String, near: [String], names: [String])
  /// Its credentials are wanted, and it has none.
  case noCredentials(profile: String)
  /// Each of these profiles takes the credentials of the next, and the last is the first again.
  case loop([String])
}
