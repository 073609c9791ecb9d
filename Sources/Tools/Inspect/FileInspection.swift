internal import APNS
internal import Credentials
internal import HTTP2
internal import JSONText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings

/// Identifies and inspects a file.
struct FileInspection {
  /// The maximum size in bytes of anything but a list.
  private static let limit = 1 << 20

  let file: String
  let secrets: InspectionSecrets
  let context: Context

  private var now: Int64 { context.clock.epochSeconds }

  /// The report after the file's name. It contains no secret.
  func parts() throws(Failure) -> [Report.Part] {
    let start = try attempt(try FileStart.read(file, limit: Self.limit)) {
      .secretFile(path: file, purpose: "inspected", $0)
    }
    let permissions = start.mode.map { FilePermissions(path: file, mode: $0) }
    let contents = FileContents(of: start.bytes, path: file)
    if case .list(let format) = contents { return try list(format, start) }
    guard start.isWhole else { throw tooLarge }
    switch contents {
    case .privateKey: return try key(start.bytes, permissions)
    case .certificates: return try certificates(start.bytes, permissions)
    case .providerToken: return try token(start.bytes, permissions)
    case .unrecognized(let content): throw .credentials(in: file, content, .usage)
    case .payload, .list: return try payload(start.bytes.withBytes { Array($0) })
    }
  }

  private var tooLarge: Failure {
    .credentials(in: file, UnrecognizedContent.tooLarge(limit: Self.limit), .usage)
  }

  private func key(
    _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> [Report.Part] {
    let facts = try attempt(try PrivateKeyFacts(contents, password: secrets.keyPassword)) {
      .key(name: file, $0)
    }
    return KeyReport(file: file, facts: facts, permissions: permissions).parts
  }

  private func certificates(
    _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> [Report.Part] {
    let facts = try attempt(
      try CertificateFileFacts(
        contents, key: secrets.key?.contents, password: secrets.certificatePassword,
        keyPassword: secrets.keyPassword)
    ) { .certificate(name: file, keyName: secrets.key?.name, $0) }
    return CertificateFileReport(
      file: file, facts: facts, permissions: permissions, now: now
    ).parts
  }

  private func token(
    _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> [Report.Part] {
    let facts = try attempt(try ProviderTokenFacts(contents)) { (fault: ProviderTokenFault) in
      .credentials(in: file, fault, .usage)
    }
    let isSigned = secrets.publicKey.map(facts.isSigned)
    return ProviderTokenReport(
      facts: facts, isSigned: isSigned, now: now, permissions: permissions
    ).parts
  }

  /// Lists are read twice, as by `send`; one that can be read only once is copied first.
  private func list(_ format: ListFormat, _ start: FileStart) throws(Failure) -> [Report.Part] {
    if start.mode != nil { return try list(format, at: file) }
    guard start.isWhole else { throw tooLarge }
    let copy = try attempt(
      try TemporaryFile(
        start.bytes.withBytes { Array($0) }, name: "fanfare-list", folder: context.temporaryFolder)
    ) { .file($0) }
    defer { withExtendedLifetime(copy) {} }
    return try list(format, at: copy.path)
  }

  private func list(_ format: ListFormat, at path: String) throws(Failure) -> [Report.Part] {
    let check = ListCheck(.file(path), format: format)
    if var error = check.error {
      error.list = file
      throw .list(error)
    }
    let format = ListFormat(path: path) ?? format
    return TokenListReport(
      file: file, format: format, check: check,
      columns: ListColumns.names(ofFile: path, format)
    ).parts
  }
}

// Payloads.
extension FileInspection {
  private func payload(_ contents: [UInt8]) throws(Failure) -> [Report.Part] {
    var options = Settings()
    options.payload = Setting(file, .builtIn)
    var assembly = DraftAssembly(try options.merged(reading: [.headers], context), context)
    assembly.isToBeSent = false
    assembly.payloadContents = contents
    assembly.presumedType = PushType(namedByFolderOf: file)
    let written = try assembly.draft()
    let rules = RuleContext(now: now)
    let template = Template(written, in: rules)
    let isConstant = template?.names.isEmpty ?? false
    let draft = isConstant ? (try? template?.filled()) ?? written : written
    guard let json = draft.payload?.json, json.object != nil else {
      let problems = RuleTable.formRules.flatMap { $0.problems(in: draft, rules) }
      throw .problems(problems.map { $0.placed(in: file) })
    }
    return PayloadReport(
      draft: draft, json: json, variables: template?.names ?? [],
      isTypeInferred: assembly.inferredType != nil, target: assembly.simulatorTarget
    ).parts
  }
}
