internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import PushCore
internal import PushEmulator

/// Why a command did not do its work. It carries evidence; `Rendering` makes the sentences.
enum Failure: Error {
  /// Options that do not fit together, or one that is missing.
  case usage(UsageProblem)
  /// No environment was named anywhere.
  case noEnvironment
  /// No key or certificate was named anywhere.
  case noKey
  /// A client certificate is named where a provider token is wanted. `origin` names it.
  case certificateSignsNothing(origin: String)
  /// A client certificate cannot be used. `name` is its file or variable, `keyName` that of the key
  /// when it has one of its own.
  case certificate(name: String, keyName: String?, CertificateError)
  /// OpenSSL does not take a client certificate.
  case identity(name: String, ClientIdentity.Failure)
  /// A client certificate was opened, and no push would get through with it.
  case unfitCertificate(name: String, [CertificateProblem])
  /// The variable that asks for the keys of connections is set, and nobody allowed it.
  case keyLog(path: String)
  /// A key was named, but not the id that goes with it. `elsewhere` is a lower layer that has it.
  case missingIdentifier(name: String, option: String, elsewhere: String?)
  /// An id is not ten capital letters and digits.
  case badIdentifier(name: String, setting: String, IdentifierError)
  /// A setting's text cannot be read. `expected` says what it should be.
  case badSetting(name: String, text: String, expected: String)
  /// An option's text holds a password, which others can see there. `variable` is a better place.
  case passwordInArgument(option: String, variable: String)
  /// A file cannot be read or written.
  case file(FileFailure)
  /// Results or other output were lost; the work itself was done and would have ended with `after`.
  case lostOutput(FileFailure, after: ExitCode)
  /// A file of certificates cannot be read.
  case keyFile(FileFailure)
  /// A file with a key or a password in it is not read. `purpose` is what it is for.
  case secretFile(path: String, purpose: String, SecretFileError)
  /// A program that should print a secret does not.
  case secretCommand(program: String, purpose: String, SecretCommandFault)
  /// The user's own file of profiles is not read.
  case ownConfiguration(path: String, SecretFileError)
  /// A profile is named that cannot be used. `origin` names it, `files` were looked at.
  case profile(ProfileError, origin: String, files: [String])
  /// What a variable holds is neither a key nor a certificate, nor the path of a file that is read.
  case secretVariable(name: String, path: String, purpose: String, SecretFileError)
  /// The team id is what the file's name calls the key id: the two settings have each other's.
  case swappedIdentifiers(keyID: String, teamID: String, fileName: KeyID)
  /// Key id and team id are the same.
  case sameIdentifier(String)
  /// A key cannot be used. `name` is its file or variable.
  case key(name: String, SigningKeyError)
  /// A text is no provider token. `name` is its file.
  case providerToken(name: String, ProviderTokenFault)
  /// A file contains nothing that can be inspected.
  case unrecognized(file: String, UnrecognizedContent)
  /// The notification, a payload or a scenario breaks rules.
  case problems([Problem])
  /// A list of recipients cannot be used.
  case list(ListError)
  /// An option is for one recipient, and there may be several.
  case severalRecipients(option: String)
  /// There is nobody to send to.
  case noRecipients
  /// An option names a file to write that the command uses for something else as well.
  case overwrites(option: String, path: String)
  /// Files that would be made are there already, and hold something else.
  case filesAreThere([String])
  /// A question has to be answered, and there are no more answers. Nothing was done.
  case noAnswer
  /// Production is asked about first, and there is no terminal to ask on.
  case needsConsent
  /// Somebody was asked about production, and did not say yes.
  case declined
  /// The emulator did not start.
  case emulator(EmulatorError)
  /// A program that does the work is not installed.
  case missingProgram(String)
  /// `simctl push` ended with another exit status than 0.
  case simulatorRefused(device: String, bundleID: String, status: Int32)
  /// The history cannot be used.
  case history(HistoryError)
  /// What the history holds of a run is not what this version writes.
  case damagedRun
  /// A run can only be resumed with a history.
  case nothingWrittenDown
  /// A list could be read only once, and no copy of it is left.
  case listLost(list: String)
  /// A list is not what it was when the run began. `time` is when it was written then, in nanoseconds
  /// since 1970, when nothing else is known to have changed.
  case listChanged(path: String, time: Int64? = nil)
  /// What rows made of a template cannot be made again: why. Nothing was sent. `skipped`: the row made
  /// nothing then either, so that there was nothing to keep.
  indirect case rowsGone(Failure, skipped: Bool = false)
  /// A run whose pushes are to be sent again had an `apns-expiration` that has passed, in seconds
  /// since 1970. `command` chooses the same pushes again.
  case expired(RunNumber, at: Int64, command: String)
  /// A process sends pushes of a run again: which run does, and the process, as far as they are known.
  case beingResent(RunNumber, by: RunNumber?, pid: Int32?)
  /// Pushes that are left of a run were accepted in another run since.
  case sentSince(SentSince)
  /// The history holds no push with this id.
  case noSuchPush(APNSID)
  /// The history knows the push, and no result of it. `isClaimed`: it may have been sent.
  case pushWithoutResult(APNSID, run: RunNumber, isClaimed: Bool)
  /// A folder holds no scenario.
  case noScenarios(folder: String)
  /// No scenario is called so.
  case noSuchScenario(String, near: [String], among: [String])
  /// What keeps several scenarios from being run, each with its file.
  indirect case scenarios([(file: String, failure: Failure)])
  /// A scenario has no step with a number; it has so many.
  case noSuchStep(Int, scenario: String, count: Int)
  /// A file that should be a scenario is a list of device tokens.
  case listForScenario(String)
  /// A file that should be a scenario is a script for the emulator.
  case scriptForScenario(String)
  /// Nothing that can be explained is called so.
  case unknownTopic(String, near: [String])

  /// The broken rules in it; none when it is something else.
  var problems: [Problem] {
    switch self {
    case .problems(let problems): problems
    case .scenarios(let failures): failures.flatMap(\.failure.problems)
    default: []
    }
  }

  /// The exit code that goes with it.
  var exitCode: ExitCode {
    switch self {
    case .keyFile, .secretFile, .secretVariable, .secretCommand, .key, .emulator, .missingProgram,
      .certificate,
      .identity,
      .unfitCertificate:
      .connection
    case .simulatorRefused: .failure
    case .history(.notDue): .unfinished
    case .scenarios(let failures): .merged(failures.map(\.failure.exitCode))
    case .lostOutput(_, let code): .merged([code, .failure])
    default: .usage
    }
  }
}
