package import APNS
package import JSONText
internal import Recipients

/// A property of ``Settings``: its name, and how it is merged, stored and shown.
package struct SettingField: Sendable {
  /// A group of related properties.
  package enum Part: CaseIterable { case what, headers, to, place, credentials, running, telling }

  /// The treatment of a value when a run is stored.
  package enum Keeping {
    /// It belongs to the run: the history stores it, and resuming the run repeats it.
    case repeated
    /// Stored if an option gave it. Variables and profiles are read again, because they may have
    /// changed, or hold a password.
    case repeatedIfOption
    /// It configures a single command, and is not stored.
    case ofTheInvocation
    /// It accepts a risk, which must be accepted anew each time, so it is not stored.
    case neverKept
  }

  /// The condition for a row in `config show`.
  package enum Display { case always, whenSaid, never }

  /// The name in files, in `config show` and in the history.
  package let name: String
  package let part: Part
  package let keeping: Keeping
  package var display = Display.whenSaid
  /// True if a worker takes it from a run in the queue. Destination, credentials and the files read
  /// or written are each worker's own: a database must not choose them.
  package private(set) var isForWorkers = false
  /// Returns the value and its origin; nil if it was not given.
  package let setting: @Sendable (Settings) -> (value: any SettingValue, origin: Origin)?
  /// Takes the value from a lower layer if this one has none.
  package let fill: @Sendable (inout Settings, Settings) -> Void
  package let forget: @Sendable (inout Settings) -> Void
  /// Reads the stored JSON form, with its origin and a function that resolves stored paths to paths
  /// from the working folder; false for an invalid form.
  package let read: @Sendable (inout Settings, JSON, Origin, (String) -> String) -> Bool

  /// The history may store it.
  package var isKept: Bool { keeping == .repeated || keeping == .repeatedIfOption }
}

extension SettingField {
  package typealias Read<Value: SettingValue> = @Sendable (Settings) -> Setting<Value>?
  package typealias Write<Value: SettingValue> = @Sendable (inout Settings, Setting<Value>?) -> Void

  /// Creates a property from two closures, not a key path: all rows are visited at launch, and the
  /// first use of a key path costs tens of thousands of instructions.
  package init<Value>(
    _ name: String, _ get: @escaping Read<Value>, _ set: @escaping Write<Value>, _ part: Part,
    _ keeping: Keeping = .repeated, shown display: Display = .whenSaid,
    resolving: @escaping @Sendable (Value, (String) -> String) -> Value = { value, _ in value }
  ) {
    self.init(
      name: name, part: part, keeping: keeping, display: display,
      setting: { get($0).map { ($0.value, $0.origin) } },
      fill: { settings, lower in if get(settings) == nil { set(&settings, get(lower)) } },
      forget: { set(&$0, nil) },
      read: { settings, json, origin, path in
        guard let value = Value(json: json) else { return false }
        set(&settings, Setting(resolving(value, path), origin))
        return true
      })
  }

  /// The same property, which workers take from a run in the queue.
  fileprivate var forWorkers: Self {
    var field = self
    field.isForWorkers = true
    return field
  }

  /// Creates a field that holds a file's path.
  fileprivate static func path(
    _ name: String, _ get: @escaping Read<String>, _ set: @escaping Write<String>, _ part: Part,
    shown display: Display = .whenSaid
  ) -> Self {
    Self(name, get, set, part, shown: display) { value, path in path(value) }
  }

  fileprivate static func paths(
    _ name: String, _ get: @escaping Read<[String]>, _ set: @escaping Write<[String]>, _ part: Part
  ) -> Self {
    Self(name, get, set, part) { values, path in values.map(path) }
  }

  fileprivate static func secret(
    _ name: String, _ get: @escaping Read<SecretLocation>, _ set: @escaping Write<SecretLocation>
  ) -> Self {
    Self(name, get, set, .credentials) { value, path in
      if case .file(let file) = value { .file(path(file)) } else { value }
    }
  }
}

extension Settings {
  /// Every property, in the order of `config show`.
  package static let fields: [SettingField] =
    placeFields + credentialFields + runningFields + tellingFields + whatFields + toFields

  /// All parts.
  package static let parts = Set(SettingField.Part.allCases)

  private static let placeFields: [SettingField] = [
    .init("profile", { $0.profile }, { $0.profile = $1 }, .place, shown: .always),
    .init("bundleID", { $0.bundleID }, { $0.bundleID = $1 }, .headers, shown: .always),
    .init("environment", { $0.environment }, { $0.environment = $1 }, .place, shown: .always),
    .init("server", { $0.server }, { $0.server = $1 }, .place),
    .path("serverCA", { $0.serverCA }, { $0.serverCA = $1 }, .place),
    .path("ca", { $0.ca }, { $0.ca = $1 }, .place, shown: .always),
    .init("port", { $0.port }, { $0.port = $1 }, .place, shown: .always),
    .init("broadcastHost", { $0.broadcastHost }, { $0.broadcastHost = $1 }, .place),
    .init("manageHost", { $0.manageHost }, { $0.manageHost = $1 }, .place),
    .init(
      "trustProject", { $0.trustProject }, { $0.trustProject = $1 }, .place, .neverKept),
    .init("proxy", { $0.proxy }, { $0.proxy = $1 }, .place, .repeatedIfOption, shown: .always),
  ]

  private static let credentialFields: [SettingField] = [
    .secret("key", { $0.key }, { $0.key = $1 }),
    .init("keyID", { $0.keyID }, { $0.keyID = $1 }, .credentials),
    .init("teamID", { $0.teamID }, { $0.teamID = $1 }, .credentials),
    .secret("cert", { $0.certificate }, { $0.certificate = $1 }),
    .path("certKey", { $0.certificateKey }, { $0.certificateKey = $1 }, .credentials),
    .secret("passwordFile", { $0.password }, { $0.password = $1 }),
    .path("keyPasswordFile", { $0.keyPasswordFile }, { $0.keyPasswordFile = $1 }, .credentials),
    .path(
      "certPasswordFile", { $0.certificatePasswordFile }, { $0.certificatePasswordFile = $1 },
      .credentials),
    .init(
      "credentialsProfile", { $0.credentialsProfile }, { $0.credentialsProfile = $1 }, .credentials),
    .init(
      "credentialsOwner", { $0.credentialsOwner }, { $0.credentialsOwner = $1 }, .credentials,
      .ofTheInvocation, shown: .never),
  ]

  private static let runningFields: [SettingField] = [
    .init("connections", { $0.connections }, { $0.connections = $1 }, .running, shown: .always)
      .forWorkers,
    .init("rate", { $0.rate }, { $0.rate = $1 }, .running, shown: .always).forWorkers,
    .init("timeout", { $0.timeout }, { $0.timeout = $1 }, .running, shown: .always).forWorkers,
    .init("retries", { $0.retries }, { $0.retries = $1 }, .running, shown: .always).forWorkers,
    .init("retryDelay", { $0.retryDelay }, { $0.retryDelay = $1 }, .running, shown: .always)
      .forWorkers,
    .init("dryRun", { $0.dryRun }, { $0.dryRun = $1 }, .running, .ofTheInvocation),
    .init("atMostOnce", { $0.atMostOnce }, { $0.atMostOnce = $1 }, .running),
    .init("breaker", { $0.breaker }, { $0.breaker = $1 }, .running).forWorkers,
    .init("force", { $0.force }, { $0.force = $1 }, .running, .neverKept),
    .init("yes", { $0.yes }, { $0.yes = $1 }, .running, .neverKept),
    .init("strict", { $0.strict }, { $0.strict = $1 }, .running, .ofTheInvocation),
    .init("watch", { $0.watch }, { $0.watch = $1 }, .running, .ofTheInvocation),
    .init("enqueue", { $0.enqueue }, { $0.enqueue = $1 }, .running, .ofTheInvocation),
  ]

  private static let tellingFields: [SettingField] = [
    .init(
      "history", { $0.history }, { $0.history = $1 }, .telling, .ofTheInvocation, shown: .always),
    .init("tokenCache", { $0.tokenCache }, { $0.tokenCache = $1 }, .credentials),
    .init("tlsKeyLog", { $0.tlsKeyLog }, { $0.tlsKeyLog = $1 }, .place, .ofTheInvocation),
    .init("json", { $0.json }, { $0.json = $1 }, .telling, .ofTheInvocation),
    .init("template", { $0.template }, { $0.template = $1 }, .telling, .ofTheInvocation),
    .init("results", { $0.results }, { $0.results = $1 }, .telling, .ofTheInvocation),
    .init("deadTokens", { $0.deadTokens }, { $0.deadTokens = $1 }, .telling, .ofTheInvocation),
    .init("quiet", { $0.quiet }, { $0.quiet = $1 }, .telling, .ofTheInvocation),
    .init("progress", { $0.progress }, { $0.progress = $1 }, .telling, .ofTheInvocation),
    .init("verbose", { $0.verbose }, { $0.verbose = $1 }, .telling, .ofTheInvocation),
    .init(
      "keepsHistory", { $0.keepsHistory }, { $0.keepsHistory = $1 }, .telling, .ofTheInvocation),
    .init("keepPayloads", { $0.keepPayloads }, { $0.keepPayloads = $1 }, .telling).forWorkers,
    .init("showTokens", { $0.showTokens }, { $0.showTokens = $1 }, .telling, .ofTheInvocation),
  ]

  private static let whatFields: [SettingField] =
    [
      .path("payload", { $0.payload }, { $0.payload = $1 }, .what),
      .init("payloadText", { $0.payloadText }, { $0.payloadText = $1 }, .what),
      .init("example", { $0.example }, { $0.example = $1 }, .what),
    ] + PayloadOption.table.map(SettingField.init(changedBy:)) + [
      .variables,
      .init("apnsID", { $0.apnsID }, { $0.apnsID = $1 }, .headers, .neverKept),
      .headers,
    ]

  private static let toFields: [SettingField] = [
    .init("to", { $0.to }, { $0.to = $1 }, .to),
    .init("channel", { $0.channel }, { $0.channel = $1 }, .to),
    .paths("tokens", { $0.tokens }, { $0.tokens = $1 }, .to),
    .init("tokensFormat", { $0.tokensFormat }, { $0.tokensFormat = $1 }, .to),
    .paths("suppress", { $0.suppress }, { $0.suppress = $1 }, .to),
    .init("duplicates", { $0.duplicates }, { $0.duplicates = $1 }, .to),
    .init("limit", { $0.limit }, { $0.limit = $1 }, .to),
    .init("shard", { $0.shard }, { $0.shard = $1 }, .to),
    .init("columns", { $0.columns }, { $0.columns = $1 }, .to),
  ]
}

// Values that are merged by their names.
extension SettingField {
  /// Creates the row of an option that changes the payload.
  fileprivate init(changedBy option: PayloadOption) {
    let type = option.form.type
    self.init(
      name: option.key, part: .what, keeping: .repeated,
      setting: { settings in
        guard let said = settings[option], let value = type.init(json: said.value) else {
          return nil
        }
        return (value, said.origin)
      },
      fill: { settings, lower in
        if settings[option] == nil, let said = lower[option] { settings[option] = said }
      },
      forget: { $0[option] = nil },
      read: { settings, json, origin, _ in
        guard let value = type.init(json: json) else { return false }
        settings[option] = Setting(value.json, origin)
        return true
      })
  }

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
    read: { settings, json, origin, _ in
      guard let members = json.object?.members else { return false }
      for member in members {
        settings.variables[member.key] = Setting(member.value, origin)
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
    read: { settings, json, origin, _ in
      guard let members = [JSONMember](json: json) else { return false }
      let fields = members.compactMap { member in
        member.value.string.map { DraftField(member.key, $0, from: origin) }
      }
      settings.headers = fields
      return fields.count == members.count
    })
}
