internal import CommandLineKit

extension DescribedFile: ArgumentValue {}
