package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * A message between the coordinator's group and a participant's. Its words are of few characters, without spaces; see {@code docs/wire.md}.
 *
 * @param nonce fresh for each message, so that no answer fits another one
 * @param to the name of the group that it is for
 * @param from the name of the group that sends it
 * @param part of the participant in the transaction
 */
record PeerMessage(Kind kind, String nonce, String to, String from, String transaction, String part) {
  /** Answer to a decision: it is carried out here, or the part is unknown. */
  static final String DONE = "done";
  /** Answer to a decision: an operator of the participant's group has decided otherwise. */
  static final String CONTRADICTED = "heuristic";

  private static final String CONTENT = "Content";
  private static final String PROOF = "Proof";
  private static final int MAX_CHARS = 1_024;
  private static final Pattern WORD = Pattern.compile("[!-;=?-~&&[^&]]{1,200}");

  /** What is asked. */
  enum Kind {
    /** To the coordinator. Answer: the word of a {@link GroupCoordinator.Registration}. */
    REGISTER,
    /** To the participant. Answer: the {@link PeerMessage#word} of its {@link Vote}. */
    PREPARE,
    /** To the participant. Answer: done, heuristic. */
    COMMIT,
    /** To the participant. Answer: done, heuristic. */
    ABORT,
    /** To the coordinator. Answer: the word of a {@link TransactionStatus}. */
    STATUS
  }

  /** An answer as it is written. */
  static String word(Enum<?> answer) {
    return answer.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads an answer that {@link #word} has written.
   *
   * @param word null for none
   * @return null for none, and for another text
   */
  static <A extends Enum<A>> A answer(Class<A> answers, String word) {
    return EnumSet.allOf(answers).stream().filter(one -> word(one).equals(word)).findFirst().orElse(null);
  }

  private String content() {
    return kind + " " + nonce + " " + to + " " + from + " " + transaction + " " + part;
  }

  byte[] envelope(byte[] secret) {
    String name = TransactionOperation.MESSAGE.element().getLocalPart();
    String body = element(name, content(), proof(secret, "request"));
    return ("<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" + body + "</e:Body></e:Envelope>")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The content of the answer's Body. */
  byte[] answer(byte[] secret, String answer) {
    String name = TransactionOperation.MESSAGE.element().getLocalPart() + "Response";
    return element(name, answer, proof(secret, "answer " + answer)).getBytes(StandardCharsets.UTF_8);
  }

  private static String element(String name, String content, String proof) {
    return ReplicationNames.open(name) + "<ur:" + CONTENT + ">" + content + "</ur:" + CONTENT + "><ur:" + PROOF + ">" + proof + "</ur:"
        + PROOF + "></ur:" + name + ">";
  }

  private String proof(byte[] secret, String purpose) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      String text = "transaction " + purpose + "\n" + content();
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  private boolean isProof(byte[] secret, String purpose, String proof) {
    return MessageDigest.isEqual(
        proof(secret, purpose).getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a message to this group.
   *
   * @param self the name of this group
   * @throws RefusedCallException when it is invalid, not for this group, or without a true proof
   */
  static PeerMessage read(byte[] envelope, byte[] secret, String self) throws RefusedCallException {
    String[] texts = texts(envelope);
    String[] words = texts == null ? new String[0] : texts[0].split(" ", -1);
    if (words.length != 6) {
      throw refused("is not one of six words");
    }
    for (String word : words) {
      if (!WORD.matcher(word).matches()) {
        throw refused("has an invalid word");
      }
    }
    Kind kind;
    try {
      kind = Kind.valueOf(words[0].toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw refused("asks nothing that is known here");
    }
    PeerMessage message = new PeerMessage(kind, words[1], words[2], words[3], words[4], words[5]);
    if (!message.isProof(secret, "request", texts[1])) {
      throw refused("has no true proof. Set the same understudy.transaction.secret at all groups");
    }
    if (!message.to.equals(self)) {
      throw refused("is for the group " + message.to + ", and this one is " + self + ". Correct understudy.transaction.peers");
    }
    return message;
  }

  private static RefusedCallException refused(String why) {
    return OpenTransaction.refused(
        FailureCode.BadRequest, "The message of another group about a transaction " + why + ". Nothing was executed.");
  }

  /** Returns the answer to this message; null when it is invalid or has no true proof. */
  String answerIn(byte[] envelope, byte[] secret) {
    String[] texts = texts(envelope);
    return texts != null && isProof(secret, "answer " + texts[0], texts[1]) ? texts[0] : null;
  }

  private static String[] texts(byte[] envelope) {
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(envelope, envelope.length);
      EnvelopeCursor cursor = new EnvelopeCursor(in);
      if (!cursor.open()) {
        return null;
      }
      while (cursor.nextBlock()) {
        // The header blocks have been read already.
      }
      in.nextTag();
      String content = "";
      String proof = "";
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (in.getLocalName()) {
          case CONTENT -> content = in.getElementText().strip();
          case PROOF -> proof = in.getElementText().strip();
          default -> in.skipElement();
        }
      }
      return content.length() > MAX_CHARS || proof.length() > MAX_CHARS ? null : new String[] {content, proof};
    } catch (XMLStreamException e) {
      return null;
    }
  }
}
