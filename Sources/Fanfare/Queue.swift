/// A queue that gives up its oldest element in constant time, however long it is.
struct Queue<Element: Sendable>: Sendable, Sequence {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  var count: Int { elements.count - head }

  /// The oldest element.
  var first: Element? { isEmpty ? nil : elements[head] }

  func makeIterator() -> some IteratorProtocol<Element> {
    elements[head...].lazy.compactMap(\.self).makeIterator()
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let element = elements[head].take()
    head += 1
    if 2 * head > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes and returns all elements, the oldest first.
  mutating func takeAll() -> [Element] {
    defer { self = Queue() }
    return Array(self)
  }

  /// Offers the newest elements to a change, the newest first, until one accepts it.
  ///
  /// - Returns: whether one has.
  mutating func change(ofLast number: Int, _ change: (inout Element) -> Bool) -> Bool {
    for index in elements.indices[head...].suffix(number).reversed() {
      guard var element = elements[index].take() else { continue }
      defer { elements[index] = element }
      if change(&element) { return true }
    }
    return false
  }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = filter { !isUnwanted($0) }
    head = 0
  }
}
