internal import CProcess
internal import CommandLineKit
internal import Reporting

/// The command line after the program's name.
enum Arguments {
  /// Reads the words.
  ///
  /// - Throws: `ArgumentFault`. Swift itself finds no words if there is no `/proc`, or if a library
  ///   has moved the environment.
  static func words() throws(ArgumentFault) -> [String] {
    let count = fanfare_argument_count()
    if count > 0 { return try texts(of: (1..<max(1, count)).map { fanfare_argument($0) }) }
    if CommandLine.argc == 0 { throw .notFound }
    let places = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try texts(of: places.dropFirst().map { $0.map { UnsafePointer($0) } })
  }

  /// Converts the words strictly: invalid UTF-8, if repaired, could name another file.
  private static func texts(of places: [UnsafePointer<CChar>?]) throws(ArgumentFault) -> [String] {
    var words: [String] = []
    for place in places.compactMap(\.self) {
      guard let word = String(validatingCString: place) else {
        throw .notUTF8(number: words.count + 1)
      }
      words.append(word)
    }
    return words
  }
}

/// The reason the command line cannot be read.
enum ArgumentFault: Error {
  case notFound
  /// Counted from 1, without the program's name.
  case notUTF8(number: Int)

  var message: String {
    switch self {
    case .notFound: "The command line cannot be read. Is /proc mounted?"
    case .notUTF8(let number):
      "Argument \(number) is not UTF-8 text. Check the terminal's encoding, or rename the file."
    }
  }
}

extension ColorChoice: ArgumentValue {
  /// The option, common to all commands.
  static let option = CommonOption<Self>(
    "color", value: "WHEN", defaultText: Self.auto.rawValue,
    help: "When to use colors; 'auto' does on a terminal.")
}

/// The command line without `--color`, and the option's value.
struct ColoredLine {
  private(set) var words: [String]
  private(set) var color = ColorChoice.auto
  /// The error in the option; nil for none.
  private(set) var problem: UsageProblem?

  init(_ words: [String]) {
    self.words = words
    do {
      color = try ColorChoice.option.take(from: &self.words) ?? .auto
    } catch {
      problem = error
    }
  }
}
