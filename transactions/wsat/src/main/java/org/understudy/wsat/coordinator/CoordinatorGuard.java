package org.understudy.wsat.coordinator;

import com.arjuna.webservices11.wsat.processors.CompletionCoordinatorProcessor;
import com.arjuna.webservices11.wsat.processors.CompletionCoordinatorRPCProcessor;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import com.arjuna.webservices11.wscoor.processors.RegistrationCoordinatorProcessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.function.Predicate;
import org.understudy.wsat.addressing.InstanceIds;

/** Stands between the messages to a coordinator and Narayana: checks ids, and limits what clients can register and occupy. */
public final class CoordinatorGuard implements AutoCloseable {
  private static final int KEY_BYTES = 32;

  private final Activities activities;
  private final int maxWaiting;
  private final Predicate<String> unreadable;
  private final DecisionSenders senders = new DecisionSenders();
  private GuardedCompletion completion;

  /**
   * @param directory keeps the secret of the ids: participants name them after a restart
   * @param path of the endpoints whose ids are in messages to participants
   * @param maxWaiting how many messages that complete transactions wait while others are under way
   * @param unreadable whether the record of a transaction cannot be used; of null, whether there is any such record
   * @throws IOException when the secret can be neither read nor written
   */
  public CoordinatorGuard(Path directory, String path, int maxWaiting, Predicate<String> unreadable) throws IOException {
    this.activities = new Activities(new InstanceIds(key(directory.resolve("key")), path), System::nanoTime);
    this.maxWaiting = maxWaiting;
    this.unreadable = unreadable;
  }

  private static byte[] key(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] fresh = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(fresh);
      Path whole = file.resolveSibling("key.new");
      Files.deleteIfExists(whole);
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(whole, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.write(whole, fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }
    byte[] key = Files.readAllBytes(file);
    if (key.length != KEY_BYTES) {
      throw new IOException("The file " + file + " has not " + KEY_BYTES + " bytes. Restore it, or remove it: prepared participants then "
          + "cannot answer this coordinator any more");
    }
    return key;
  }

  /** Lets Narayana's factory of transactions find the limits. Before Narayana starts. */
  public void open() {
    activities.open();
    InstanceIds.use(activities.ids());
    senders.open();
  }

  /** Takes the places of Narayana's receivers. */
  public void start() {
    completion = new GuardedCompletion(CompletionCoordinatorProcessor.getProcessor(), activities, maxWaiting);
    CompletionCoordinatorProcessor.setProcessor(completion);
    CompletionCoordinatorRPCProcessor.setProcessor(
        new GuardedCompletionRpc(CompletionCoordinatorRPCProcessor.getProcessor(), activities));
    CoordinatorProcessor.setProcessor(new GuardedCoordinator(CoordinatorProcessor.getProcessor(), activities.ids(), unreadable));
    RegistrationCoordinatorProcessor.setCoordinator(
        new GuardedRegistration(RegistrationCoordinatorProcessor.getCoordinator(), activities));
  }

  /** Ends its threads. Idempotent. */
  @Override
  public void close() {
    activities.close();
    InstanceIds.use(null);
    if (completion != null) {
      completion.close();
    }
    senders.close();
  }
}
