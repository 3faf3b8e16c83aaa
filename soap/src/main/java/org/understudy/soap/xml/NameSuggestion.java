package org.understudy.soap.xml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by an unknown one. */
public final class NameSuggestion {
  private NameSuggestion() {}

  /** Returns {@code "; did you mean insert?"}, or a full stop if no name is similar: the end of a sentence. */
  public static String of(String unknown, Collection<String> names) {
    return nearest(unknown, names).map(name -> "; did you mean " + name + "?").orElse(".");
  }

  /** Returns the most similar name; empty if none is similar. */
  public static Optional<String> nearest(String unknown, Collection<String> names) {
    int most = Math.max(1, Math.min(unknown.length(), 100) / 3);
    return names.stream()
        .filter(name -> distance(unknown, name) <= most)
        .min(Comparator.<String>comparingInt(name -> distance(unknown, name)).thenComparing(Comparator.naturalOrder()));
  }

  /** The number of characters to insert, delete, replace or swap with the next one. Long names are not compared. */
  private static int distance(String one, String other) {
    if (one.length() > 100 || other.length() > 100) {
      return Integer.MAX_VALUE;
    }
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[][] least = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int replaced = least[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        least[i][j] = Math.min(replaced, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], 1 + least[i - 2][j - 2]);
        }
      }
    }
    return least[a.length()][b.length()];
  }
}
