internal import POSIX
internal import PlainText
package import PushModel
internal import Recipients

extension Failure {
  package static func list(_ error: ListError) -> Failure {
    let failure = Failure(
      "\(error.list.printable): \(error.sentence)", fix: error.fix, cause: error, rule: "list")
    return error.others.isEmpty ? failure : .several([failure] + error.others.map(Failure.list))
  }
}

extension ListError {
  /// A description of what is wrong with the list.
  package var sentence: String {
    switch fault {
    case .missing: "The list does not exist."
    case .isFolder: "This is a folder, not a list."
    case .isPEM: "This is a key or a certificate, not a list."
    case .foreign(let noun, _): "This is \(noun), not a list."
    case .otherFormat(let format):
      "This is \(format == "csv" ? "a table with columns" : "a list of JSON objects"), and it was "
        + "read as a list of bare device tokens."
    case .unreadable(let code): "The list cannot be read: \(systemMessage(code))."
    case .changed:
      "The list was written to while it was read: some of its recipients may have been passed over."
    case .empty: "The list has no row with a device token."
    case .header(let fault): "The header row cannot be read: \(fault.clause)."
    case .noTokenColumn(let names):
      "No column is called token or device_token; the columns are "
        + names.map { "'\($0.printable)'" }.joined(separator: ", ") + "."
    case .duplicateColumn(let name): "Two columns are called '\(name.printable)'."
    case .missingColumns(let missing): missing.sentence
    }
  }

  /// The advice that goes with the error.
  package var fix: String {
    switch fault {
    case .missing:
      "Check the path; it is relative to the current folder, and in a scenario to its file."
    case .isFolder: "Name a file: .txt, .csv or .jsonl."
    case .isPEM: "Name a list of device tokens. A key is for --key, a certificate for --cert."
    case .foreign(_, let advice): advice
    case .otherFormat(let format):
      fileEnding(list) == "txt"
        ? "Rename it to .\(format)." : "Give its format: --tokens-format \(format)."
    case .unreadable: "Check the file's owner and permissions."
    case .changed:
      "Change a list by renaming a new file over it. The results of a run, as a list for --suppress, "
        + "leave out those it has reached."
    case .empty: "Put one device token on each line."
    case .header, .noTokenColumn:
      "Begin the list with a row of column names, such as token,name, separated by commas, "
        + "semicolons or tabs."
    case .duplicateColumn: "Give each column a different name."
    case .missingColumns(let missing): missing.fix
    }
  }
}

extension MissingColumns {
  fileprivate var sentence: String {
    let missing = variables.isEmpty ? listed : variables
    let nouns = missing.count == 1 ? "column" : "columns"
    let wanting = variables.isEmpty ? "which --columns names" : "which the payload needs"
    return "The list has no \(nouns) \(Self.shown(missing)), \(wanting)."
  }

  fileprivate var fix: String {
    let names = variables.isEmpty ? listed : variables
    let near = names.prefix(Self.limit).flatMap { name in
      Suggestion.near(name, among: found).prefix(1)
        + found.filter { $0 != name && $0.lowercased() == name.lowercased() }.prefix(1)
    }
    var unique: [String] = []
    unique.add(near)
    let question = unique.isEmpty ? "" : "Did you mean \(Self.shown(unique))? "
    return question + columns + (variables.isEmpty ? "" : way)
  }

  private var columns: String {
    found.isEmpty
      ? "It holds device tokens only: columns need a .csv or .jsonl list, or --tokens-format."
      : "Its columns: \(Self.shown(found))."
  }

  private var way: String {
    let name = variables.first?.printable ?? ""
    return " For a value for every row, give --var \(name)=TEXT or write {{\(name)|default('…')}}."
  }

  private static let limit = 20

  private static func shown(_ names: [String]) -> String {
    names.prefix(limit).map { "'\($0.printable)'" }.joined(separator: ", ")
      + (names.count > limit ? ", …" : "")
  }
}

extension RecipientReader {
  package mutating func nextChunk() throws(Failure) -> PushChunk? {
    try attempt(try next()) { .list($0) }
  }
}
