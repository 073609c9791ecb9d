internal import Foundation

/// A program that is run to its end, with a text on its standard input.
struct Subprocess {
  /// What a program leaves behind.
  struct Result {
    /// The exit status; of a program that a signal ended, 128 and the signal.
    var status: Int32
    /// Standard output and standard error, as they came.
    var output: String
  }

  let path: String

  /// A program by its name; nil when no folder of `PATH` has it.
  init?(named name: String, in environment: [String: String]) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let paths: [String] = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.path = path
  }

  /// Runs the program. `input` has to fit a pipe, which it does up to 16 KiB everywhere.
  func run(_ arguments: [String], input: [UInt8]) throws(FileFailure) -> Result {
    let process = Process()
    let (inputPipe, outputPipe) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = inputPipe
    process.standardOutput = outputPipe
    process.standardError = outputPipe
    do {
      try process.run()
    } catch {
      let code = (error as NSError).code
      let fault = FileFailure.Fault.system(Int32(truncatingIfNeeded: code))
      throw FileFailure(path: path, action: .read, fault: fault, purpose: "program")
    }
    // A program that does not read its input has its reasons, which its status tells.
    try? inputPipe.fileHandleForWriting.write(contentsOf: input)
    try? inputPipe.fileHandleForWriting.close()
    let output = outputPipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: process.terminationStatus + (isSignal ? 128 : 0),
      output: String(decoding: output, as: UTF8.self))
  }
}
