internal import APNS
internal import Credentials
internal import HTTP2
internal import JSONText
internal import Projects
internal import PushModel
internal import Recipients

/// Finds out what files contain.
struct Inspection {
  /// The most bytes of anything but a list.
  static let limit = 1 << 20

  let context: Context
  let secrets: InspectionSecrets

  /// What is told of the files, and why of some there is nothing to tell.
  func report(on files: [String]) -> (report: Report, failures: [Failure]) {
    var found: [[Report.Part]] = []
    var failures: [Failure] = []
    for file in files {
      var inspected: any Inspected
      do throws(Failure) {
        inspected = try inspect(file)
      } catch {
        inspected = UninspectedFile(file: file, failure: error)
        failures.append(error)
      }
      let parts = [.json("file", .text(file))] + inspected.parts
      found.append([.section(StyledText(file), parts)])
    }
    let code = ExitCode.merged(failures.map { $0.isWrongPassword ? .connection : .usage })
    return (Report(parts: [.list(nil, found)], form: .array, exitCode: code), failures)
  }

  private func inspect(_ file: String) throws(Failure) -> any Inspected {
    let start = try read(file)
    let permissions = start.mode.map { FilePermissions(path: file, mode: $0) }
    let contents = FileContents(of: start.bytes, path: file)
    if case .list(let format) = contents { return try list(file, format, start) }
    guard start.isWhole else { throw .unrecognized(file: file, .tooLarge(limit: Self.limit)) }
    switch contents {
    case .privateKey: return try key(file, start.bytes, permissions)
    case .certificates: return try certificates(file, start.bytes, permissions)
    case .providerToken: return try token(file, start.bytes, permissions)
    case .unrecognized(let content): throw .unrecognized(file: file, content)
    case .payload, .list: return try payload(file, start.bytes.withBytes { Array($0) })
    }
  }

  private func read(_ file: String) throws(Failure) -> FileStart {
    do throws(SecretFileError) {
      return try FileStart.read(file, limit: Self.limit)
    } catch {
      throw .secretFile(path: file, purpose: "inspected", error)
    }
  }

  private func key(
    _ file: String, _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> InspectedKey {
    do throws(SigningKeyError) {
      let facts = try PrivateKeyFacts(contents, password: secrets.keyPassword)
      return InspectedKey(file: file, facts: facts, permissions: permissions)
    } catch {
      throw .key(name: file, error)
    }
  }

  private func certificates(
    _ file: String, _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> InspectedCertificates {
    do throws(CertificateError) {
      let facts = try CertificateFileFacts(
        contents, key: secrets.key?.contents, password: secrets.certificatePassword,
        keyPassword: secrets.keyPassword)
      return InspectedCertificates(
        file: file, facts: facts, permissions: permissions, now: context.clock.epochSeconds)
    } catch {
      throw .certificate(name: file, keyName: secrets.key?.name, error)
    }
  }

  private func token(
    _ file: String, _ contents: SecretBytes, _ permissions: FilePermissions?
  ) throws(Failure) -> InspectedToken {
    do throws(ProviderTokenFault) {
      let facts = try ProviderTokenFacts(contents)
      return InspectedToken(
        facts: facts, isSigned: secrets.publicKey.map(facts.isSigned),
        permissions: permissions, now: context.clock.epochSeconds)
    } catch {
      throw .providerToken(name: file, error)
    }
  }

  /// Lists are read a second time, as `send` would; one that can be read only once is copied first.
  private func list(
    _ file: String, _ format: ListFormat, _ start: FileStart
  ) throws(Failure) -> InspectedList {
    if start.mode != nil { return try list(file, format, at: file) }
    guard start.isWhole else { throw .unrecognized(file: file, .tooLarge(limit: Self.limit)) }
    let copy = try copy(of: start.bytes)
    defer { withExtendedLifetime(copy) {} }
    return try list(file, format, at: copy.path)
  }

  private func copy(of bytes: SecretBytes) throws(Failure) -> TemporaryFile {
    do throws(FileFailure) {
      return try TemporaryFile(
        bytes.withBytes { Array($0) }, name: "fanfare-list", folder: context.temporaryFolder)
    } catch {
      throw .file(error)
    }
  }

  private func list(
    _ file: String, _ format: ListFormat, at path: String
  ) throws(Failure) -> InspectedList {
    let check = ListCheck(.file(path), format: format)
    if var error = check.error {
      error.list = file
      throw .list(error)
    }
    let format = ListFormat(path: path) ?? format
    return InspectedList(
      file: file, format: format, check: check,
      columns: ListColumns.names(ofFile: path, format))
  }
}

// Payloads.
extension Inspection {
  private func payload(_ file: String, _ contents: [UInt8]) throws(Failure) -> InspectedPayload {
    var options = Settings()
    options.payload = Setting(file, .builtIn)
    let settings = try options.merged(reading: [.headers], context)
    var assembly = DraftAssembly(settings, context)
    assembly.isToBeSent = false
    assembly.payloadContents = contents
    assembly.presumedType = PushType(namedByFolderOf: file)
    let written = try assembly.draft()
    let template = Template(written, in: RuleContext(now: context.clock.epochSeconds))
    let isConstant = template?.names.isEmpty ?? false
    let draft = isConstant ? (try? template?.filled()) ?? written : written
    guard let json = draft.payload?.json, json.object != nil else {
      throw .problems(Self.formProblems(of: draft, in: file, context))
    }
    return InspectedPayload(
      draft, json: json, variables: template?.names ?? [],
      typeSource: assembly.inferredType == nil ? .folder : .inferred,
      target: assembly.simulatorTarget)
  }

  /// Why the payload is not an object.
  private static func formProblems(
    of draft: Draft, in file: String, _ context: Context
  ) -> [Problem] {
    let rules = RuleContext(now: context.clock.epochSeconds)
    return RuleTable.formRules.flatMap { $0.problems(in: draft, rules) }
      .map { $0.placed(in: file) }
  }
}

extension Failure {
  /// Whether a password was given that is wrong.
  fileprivate var isWrongPassword: Bool {
    if case .wrongPassword? = cause as? SigningKeyError { return true }
    if case .wrongPassword? = cause as? CertificateError { return true }
    return false
  }
}
