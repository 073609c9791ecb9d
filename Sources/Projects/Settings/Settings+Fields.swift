package import APNS
package import JSONText
internal import Recipients

/// One property of ``Settings``: how it is called, merged, kept and shown.
package struct SettingField: Sendable {
  /// Properties that belong together.
  package enum Part: CaseIterable { case what, headers, to, place, credentials, running, telling }

  /// What becomes of a value when a run is written down.
  package enum Keeping {
    /// It is the run's own: the history keeps it, and whoever takes the run up repeats it.
    case repeated
    /// It is kept when an option gave it. A variable or a profile is asked anew, where it may say
    /// something else, or hold a password.
    case repeatedIfOption
    /// It says how one command goes about its work, and holds for that command only.
    case ofTheInvocation
    /// It is a risk that somebody took once, and has to be taken each time.
    case neverKept
  }

  /// Whether `config show` has a row for it.
  package enum Display { case always, whenSaid, never }

  /// What it is called in files, in `config show` and in the history.
  package let name: String
  package let part: Part
  package let keeping: Keeping
  package var display = Display.whenSaid
  /// The value, and where it was given; nil if it was not given.
  package let setting: @Sendable (Settings) -> (value: any SettingValue, origin: Origin)?
  /// Takes over from a lower layer what is not said.
  package let fill: @Sendable (inout Settings, Settings) -> Void
  package let forget: @Sendable (inout Settings) -> Void
  /// Reads the JSON form, with a function that makes paths as they were given into paths from here;
  /// false when it is something else.
  package let read: @Sendable (inout Settings, JSON, (String) -> String) -> Bool
}

extension SettingField {
  package typealias Place<Value: SettingValue> = any WritableKeyPath<Settings, Setting<Value>?>
    & Sendable

  package init<Value>(
    _ name: String, _ place: Place<Value>, _ part: Part, _ keeping: Keeping = .repeated,
    shown display: Display = .whenSaid,
    resolving: @escaping @Sendable (Value, (String) -> String) -> Value = { value, _ in value }
  ) {
    self.init(
      name: name, part: part, keeping: keeping, display: display,
      setting: { $0[keyPath: place].map { ($0.value, $0.origin) } },
      fill: { settings, lower in
        settings[keyPath: place] = settings[keyPath: place] ?? lower[keyPath: place]
      },
      forget: { $0[keyPath: place] = nil },
      read: { settings, json, path in
        guard let value = Value(json: json) else { return false }
        settings[keyPath: place] = Setting(resolving(value, path), .storedRun)
        return true
      })
  }

  /// A field that holds the path of a file.
  fileprivate static func path(
    _ name: String, _ place: Place<String>, _ part: Part, _ keeping: Keeping = .repeated,
    shown display: Display = .whenSaid
  ) -> Self {
    Self(name, place, part, keeping, shown: display) { value, path in path(value) }
  }

  fileprivate static func paths(_ name: String, _ place: Place<[String]>, _ part: Part) -> Self {
    Self(name, place, part) { values, path in values.map(path) }
  }

  fileprivate static func secret(
    _ name: String, _ place: Place<SecretPlace>, shown display: Display = .whenSaid
  ) -> Self {
    Self(name, place, .credentials, shown: display) { value, path in
      if case .file(let file) = value { .file(path(file)) } else { value }
    }
  }
}

extension Settings {
  /// Every property, in the order in which `config show` tells them.
  package static let fields: [SettingField] =
    placeFields + credentialFields + runningFields + tellingFields + whatFields + toFields

  /// All parts.
  package static let parts = Set(SettingField.Part.allCases)

  private static let placeFields: [SettingField] = [
    .init("profile", \.profile, .place, shown: .always),
    .init("bundleID", \.bundleID, .headers, shown: .always),
    .init("environment", \.environment, .place, shown: .always),
    .init("server", \.server, .place),
    .path("serverCA", \.serverCA, .place),
    .path("ca", \.ca, .place, shown: .always),
    .init("port", \.port, .place, shown: .always),
    .init("proxy", \.proxy, .place, .repeatedIfOption, shown: .always),
  ]

  private static let credentialFields: [SettingField] = [
    .secret("key", \.key), .init("keyID", \.keyID, .credentials),
    .init("teamID", \.teamID, .credentials),
    .secret("cert", \.certificate), .path("certKey", \.certificateKey, .credentials),
    .secret("passwordFile", \.password),
    .path("keyPasswordFile", \.keyPasswordFile, .credentials),
    .path("certPasswordFile", \.certificatePasswordFile, .credentials),
    .init("credentialsProfile", \.credentialsProfile, .credentials),
    .init(
      "credentialsOwner", \.credentialsOwner, .credentials, .ofTheInvocation, shown: .never),
  ]

  private static let runningFields: [SettingField] = [
    .init("connections", \.connections, .running, shown: .always),
    .init("rate", \.rate, .running, shown: .always),
    .init("timeout", \.timeout, .running, shown: .always),
    .init("retries", \.retries, .running, shown: .always),
    .init("retryDelay", \.retryDelay, .running, shown: .always),
    .init("dryRun", \.dryRun, .running, .ofTheInvocation),
    .init("atMostOnce", \.atMostOnce, .running),
    .init("breaker", \.breaker, .running),
    .init("force", \.force, .running, .neverKept),
  ]

  private static let tellingFields: [SettingField] = [
    .init("history", \.history, .telling, .ofTheInvocation, shown: .always),
    .init("tokenCache", \.tokenCache, .credentials),
    .init("tlsKeyLog", \.tlsKeyLog, .place, .ofTheInvocation),
    .init("json", \.json, .telling, .ofTheInvocation),
    .init("results", \.results, .telling, .ofTheInvocation),
    .init("deadTokens", \.deadTokens, .telling, .ofTheInvocation),
    .init("quiet", \.quiet, .telling, .ofTheInvocation),
    .init("verbose", \.verbose, .telling, .ofTheInvocation),
    .init("keepsHistory", \.keepsHistory, .telling, .ofTheInvocation),
    .init("keepPayloads", \.keepPayloads, .telling),
    .init("showTokens", \.showTokens, .telling, .ofTheInvocation),
  ]

  private static let whatFields: [SettingField] = [
    .path("payload", \.payload, .what), .init("title", \.title, .what),
    .init("subtitle", \.subtitle, .what), .init("body", \.body, .what),
    .init("badge", \.badge, .what), .init("sound", \.sound, .what),
    .init("category", \.category, .what), .init("threadID", \.threadID, .what),
    .init("interruptionLevel", \.interruptionLevel, .what),
    .init("relevanceScore", \.relevanceScore, .what),
    .init("contentAvailable", \.contentAvailable, .what),
    .init("mutableContent", \.mutableContent, .what), .init("data", \.data, .what),
    .variables, .init("apnsID", \.apnsID, .headers, .neverKept), .headers,
  ]

  private static let toFields: [SettingField] = [
    .init("to", \.to, .to), .paths("tokens", \.tokens, .to),
    .init("tokensFormat", \.tokensFormat, .to), .paths("suppress", \.suppress, .to),
    .init("duplicates", \.duplicates, .to), .init("limit", \.limit, .to),
    .init("shard", \.shard, .to),
  ]
}

// Lists, which are merged by the names of their members.
extension SettingField {
  fileprivate static let variables = SettingField(
    name: "variables", part: .what, keeping: .repeated, display: .never,
    setting: { settings in
      if settings.variables.isEmpty { return nil }
      let members = settings.variables.sorted { $0.key < $1.key }
        .map { JSONMember(key: $0.key, value: $0.value.value) }
      return (JSON(.object(JSONObject(members))), .storedRun)
    },
    fill: { settings, lower in settings.variables.merge(lower.variables) { own, _ in own } },
    forget: { $0.variables = [:] },
    read: { settings, json, _ in
      guard let members = json.object?.members else { return false }
      for member in members {
        settings.variables[member.key] = Setting(member.value, .storedRun)
      }
      return true
    })

  fileprivate static let headers = SettingField(
    name: "headers", part: .headers, keeping: .repeated, display: .never,
    setting: { settings in
      if settings.headers.isEmpty { return nil }
      let members = settings.headers.map { JSONMember(key: $0.name, value: $0.value.json) }
      return (members, .storedRun)
    },
    fill: { settings, lower in
      let names = Set(settings.headers.map(\.name))
      settings.headers = lower.headers.filter { !names.contains($0.name) } + settings.headers
    },
    forget: { $0.headers = [] },
    read: { settings, json, _ in
      guard let members = [JSONMember](json: json) else { return false }
      let fields = members.compactMap { member in
        member.value.string.map { DraftField(member.key, $0, from: .storedRun) }
      }
      settings.headers = fields
      return fields.count == members.count
    })
}
