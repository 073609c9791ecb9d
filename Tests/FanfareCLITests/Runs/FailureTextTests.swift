import APNS
import CommandLineKit
import HTTP2
import JSONText
import PlainText
import PushEmulator
import TestSupport
import Testing

@testable import Credentials
@testable import Delivery
@testable import PushModel
@testable import Reporting
@testable import Runs
@testable import Settings
@testable import Tools

@Suite("What went wrong")
struct FailureTextTests {
  /// Text from outside that would colour a terminal, ring its bell and fake a line.
  static let hostile = "x\u{1b}[31m\u{7}\r\nfanfare: ok\u{202e}"

  static let faults: [FileFailure.Fault] = [.missing, .isFolder, .tooLarge(limit: 10), .system(13)]
  static let listFaults: [ListError.Fault] = [
    .missing, .isFolder, .isPEM, .foreign("a JSON array", advice: "Unpack it."), .unreadable(13),
    .empty, .header(.encoding),
    .header(.csv(.openQuote)), .noTokenColumn([hostile, "x"]), .duplicateColumn(hostile),
    .missingColumns(MissingColumns(variables: [hostile], found: [hostile, "x"])),
    .missingColumns(MissingColumns(variables: [], listed: [hostile], found: [])),
  ]
  static let keyErrors: [SigningKeyError] = [
    .empty, .notText, .webPage, .providerToken, .sshKey, .notPEM, .broken(label: hostile),
    .broken(label: nil), .encrypted, .wrongPassword, .unsupportedEncryption(hostile), .publicKey,
    .certificate, .certificateRequest, .pkcs12, .wrongBlock(label: hostile),
    .wrongAlgorithm(hostile), .wrongCurve(hostile), .openSSL(hostile),
  ]
  static let secretFileErrors: [SecretFileError] = [
    .missing, .isFolder, .isPipe, .isDevice, .isSocket, .empty, .tooLarge(limit: 65_536),
    .writableByOthers(mode: 0o666), .system(13),
  ]
  static let emulatorErrors: [EmulatorError] = [
    .port(443, call: "bind", code: 13), .journal(code: 2),
    .certificates(call: "EVP_PKEY_keygen", detail: hostile), .outOfDescriptors,
  ]

  static let certificateErrors: [CertificateError] = [
    .empty(.certificate), .empty(.key), .wrongKind(.html, .certificate),
    .wrongKind(.otherPEM(label: hostile), .key), .isSigningKey, .broken(.pkcs12, .certificate),
    .broken(.lockedPrivateKey, .key), .needsPassword(.certificate), .wrongPassword(.key),
    .legacyUnavailable([hostile]), .unsupportedEncryption([hostile]), .tooManyIterations(9_000_000),
    .noCertificate, .noKey(commonNames: [hostile]), .keyDoesNotMatch(commonNames: [hostile]),
    .severalIdentities(commonNames: [hostile, "b"]),
  ]
  static let certificateProblems: [CertificateProblem] = [
    .expired(at: 0), .notYetValid(until: 2_000_000_000), .expiresSoon(days: 1),
    .expired(at: 0, isMDM: true), .expiresSoon(days: 1, isMDM: true),
    .wrongEnvironment(.sandbox, allowed: [.production]),
  ]

  static let failures: [Failure] =
    [
      .certificateSignsNothing(origin: hostile), .keyLog(path: hostile),
      .credentials(in: hostile, ClientIdentity.Failure.badKey),
      .credentials(in: hostile, ClientIdentity.Failure.refused(hostile)),
      .severalRecipients(option: "--env auto"),
      .missingCredentials("certificate", option: "--cert", neededBy: "--cert-key"),
      .noEnvironment, .noKey, .noRecipients, .severalRecipients(option: "--apns-id"),
      .missingCredentials("key", option: "--key", neededBy: "--key-id"),
      .missingIdentifier(name: "team id", option: "--team-id", elsewhere: nil),
      .missingIdentifier(name: "team id", option: "--team-id", elsewhere: "FANFARE_TEAM_ID"),
      .badIdentifier(.key, setting: hostile, .wrongLength(3)),
      .badIdentifier(.team, setting: "--team-id", .badCharacter("\u{1b}")),
      .badSetting(name: hostile, text: hostile, expected: "a name"),
      .badSetting(name: "KEY", text: "", expected: "a key"),
      .passwordInArgument(option: "--proxy", variable: "HTTPS_PROXY"),
      .swappedIdentifiers(keyID: hostile, teamID: hostile, fileName: "ABC123DEFG"),
      .sameIdentifier("ABC123DEFG"), .missingProgram(hostile),
      .simulatorRefused(device: hostile, bundleID: "a.b", status: 4),
      .rowsGone(.listLost(list: hostile)), .rowsGone(.listChanged(path: hostile)),
      .rowsGone(.listChanged(path: hostile), skipped: true), .listChanged(path: hostile, time: 5),
      .rowsGone(.listChanged(path: hostile, time: 1_700_000_000_000_000_005)),
      .unknownTopic(hostile, near: []), .unknownTopic(hostile, near: ["apns-topic"]),
    ]
    + faults.map { .file(FileFailure(path: hostile, action: .write, fault: $0, purpose: "list")) }
    + faults.map { .file(FileFailure(path: "-", action: .read, fault: $0, purpose: "key")) }
    + secretFileErrors.map { .secretFile(path: hostile, purpose: "key", $0) }
    + secretFileErrors.map { .secretFile(path: "-", purpose: "key password", $0) }
    + secretFileErrors.map {
      .secretFile(path: hostile, purpose: "key", in: hostile, $0)
    }
    + listFaults.map { .list(ListError(list: hostile, fault: $0)) }
    + listFaults.map { .rowsGone(.list(ListError(list: hostile, fault: $0))) }
    + certificateErrors.map { .certificate(name: hostile, keyName: hostile, $0) }
    + certificateProblems.map { .credentials(in: hostile, $0) }
    + keyErrors.map { .key(name: hostile, $0) } + emulatorErrors.map { .emulator($0) }
    + [StopCause.stopped(nil), .stopped(hostile)].compactMap(\.failure)

  @Test("is said in one line, and in another what to do", arguments: failures)
  func sentences(_ failure: Failure) throws {
    let lines = ReportText().text(of: failure.parts()).split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("fanfare: error: ") && lines[0].hasSuffix("."))
    #expect(lines[1].hasPrefix("  ") && lines[1].dropFirst(2).first?.isWhitespace == false)
    #expect(lines[1].count > 10)
  }

  @Test("says of the last refusal alone that it had no reason: those before it may have had one")
  func stopWithoutReason() {
    let cause = StopCause.breaker(Response(status: .forbidden, reason: nil))
    #expect(cause.failure?.sentence.hasSuffix("the last with HTTP 403 and no reason.") == true)
  }

  @Test("has a sentence of its own for each kind of key that is no good")
  func ownSentences() {
    #expect(Set(Self.keyErrors.map(\.sentence)).count == Self.keyErrors.count)
    let sentences = Self.secretFileErrors.map { $0.sentence("k", "key") }
    #expect(Set(sentences).count == Self.secretFileErrors.count)
  }

  static let warnings: [CredentialWarning] = [
    .exposedFile(path: hostile, purpose: "key", mode: 0o644),
    .idlePassword(setting: "--key-password-file", key: hostile),
    .otherKeyID("ABC123DEFG", fileName: "ABC123DEFH", setting: hostile),
    .oldEncryption(hostile, algorithms: [hostile, "3DES"]), .keyLog(path: hostile),
    .unfit(hostile, .expiresSoon(days: 3)),
  ]

  @Test("but does no harm, is said in the same form", arguments: warnings)
  func warning(_ warning: CredentialWarning) throws {
    let text = ReportText().text(of: [.warning(warning.sentences.what, warning.sentences.fix)])
    let lines = text.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("fanfare: warning: ") && lines[0].hasSuffix("."))
    #expect(lines[1].hasPrefix("  ") && lines[1].count > 10)
    #expect(text.dropLast().allSatisfy { $0 == "\n" || String($0).printable == String($0) })
  }

  @Test("gives a command that can be pasted, whatever the file is called")
  func pasted() {
    let path = "my key\u{1b}.p8"
    let command = "chmod 600 $'my key\\033.p8'"
    let warning = CredentialWarning.exposedFile(path: path, purpose: "key", mode: 0o644)
    #expect(warning.sentences.fix == command)
    #expect(SecretFileError.writableByOthers(mode: 0o666).fix(path, "key").hasSuffix(command))
  }

  @Test("holds no character that a terminal would obey", arguments: failures)
  func escaped(_ failure: Failure) {
    let text = ReportText().text(of: failure.parts())
    #expect(text.dropLast().allSatisfy { $0 == "\n" || String($0).printable == String($0) })
  }

  @Test(
    "ends with the exit code that tells key from command line",
    arguments: [
      (Failure.noKey, ExitCode.usage), (.noRecipients, .usage),
      (.key(name: "k", .empty), .connection), (.emulator(.outOfDescriptors), .connection),
      (
        .file(FileFailure(path: "k", action: .read, fault: .missing, purpose: "key"), .connection),
        .connection
      ),
      (.secretFile(path: "k", purpose: "key", .missing), .usage),
      (.certificate(name: "c", keyName: nil, .noCertificate), .connection),
      (.credentials(in: "c", CertificateProblem.expired(at: 0)), .connection),
      (.certificateSignsNothing(origin: "--cert"), .usage), (.keyLog(path: "p"), .usage),
      (.sameIdentifier("ABC123DEFG"), .usage),
      (
        .swappedIdentifiers(keyID: "--key-id", teamID: "--team-id", fileName: "ABC123DEFG"), .usage
      ),
      (.file(FileFailure(path: "p", action: .read, fault: .missing, purpose: "payload")), .usage),
    ])
  func exitCode(_ row: (failure: Failure, code: ExitCode)) {
    #expect(row.failure.exitCode == row.code)
  }

  @Test("in a draft is told with place, rule and fix, as recorded")
  func problems() throws {
    let problems = [
      Problem(
        .error, rule: "payload-object", at: .payload(PayloadPath()),
        from: .file("dir/\u{1b}[1m.json", at: .init(line: 3, column: 14)),
        message: "The payload is an array, not an object.", fix: "Write {\"aps\": {…}}."),
      Problem(
        .warning, rule: "priority-high", at: .header("apns-priority"),
        from: .setting("--priority"), message: "This is high.", fix: "Say 5."),
      Problem(
        .error, rule: "topic-missing", at: .header("apns-topic"),
        message: "The topic is missing.", fix: "Give --bundle-id."),
    ]
    let plain = ReportText().text(of: [.problems(key: "", problems)])
    let colored = ReportText(style: Style(hasColor: true)).text(of: [.problems(key: "", problems)])
    try expectSnapshot(plain, "problems.txt")
    #expect(colored.contains("\u{1b}[31merror:\u{1b}[0m"))
    #expect(ReportText().text(of: Failure.problems(problems).parts()) == plain)
  }
}

extension KeyID: ExpressibleByStringLiteral {
  /// An id that is known to be good.
  init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }
}
