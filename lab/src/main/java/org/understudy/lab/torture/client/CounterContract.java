package org.understudy.lab.torture.client;

import jakarta.xml.ws.BindingProvider;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.torture.client.CounterMessages.Handle;
import org.understudy.lab.torture.history.Level;

/** What clients send to one kind of service, and recognise in its answers. Its counters are numbered from 0. Thread-safe. */
interface CounterContract {
  /** The path of a counter below the address of any replica. */
  String path(int counter);

  /** An update, in an envelope with this header. */
  String add(String header, int counter, int amount);

  /** A read, in an envelope with this header. */
  String read(String header, int counter);

  /** What an answer shows to be wrong, for people. */
  Optional<String> wrong(String answer, int counter, Level level);

  /** A counter as the stub gives it to an application. */
  CounterPort port(FaultTolerantGroup group, URI service, int counter);

  /** An update under an identity of WS-Addressing. The same identity makes it the same request. */
  default String addOnce(String messageId, int counter, int amount) {
    return add(Envelopes.messageId(messageId), counter, amount);
  }

  /**
   * A read.
   *
   * @param level null for a read without our header, which has the level that the service declares
   * @param seen the client's version handle, or null
   */
  default String read(Level level, Handle seen, int counter) {
    return read(CounterMessages.readHeader(level, seen), counter);
  }

  /** One counter. */
  interface CounterPort {
    /** @throws IllegalStateException when the answer is wrong */
    int add(int amount);

    /**
     * The value; empty if the level permits that there is none.
     *
     * @throws IllegalStateException when the answer is wrong
     */
    OptionalInt value(Level level);

    /** The port of the stub, which has the properties of the next request. */
    BindingProvider stub();
  }
}
