package org.understudy.lab.torture.history;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The names of constants in files: their own in small letters. */
final class Words {
  private Words() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the constant with this name.
   *
   * @param what the constants are, for the message
   * @throws IllegalArgumentException for a word that names none
   */
  static <E extends Enum<E>> E parse(Class<E> constants, String what, String word) {
    List<E> all = Arrays.asList(constants.getEnumConstants());
    return all.stream().filter(one -> of(one).equals(word)).findFirst().orElseThrow(() -> {
      String names = all.stream().map(Words::of).limit(all.size() - 1).collect(Collectors.joining(", "));
      return new IllegalArgumentException(what + " is " + names + " or " + of(all.get(all.size() - 1)) + ", not " + word + ".");
    });
  }
}
