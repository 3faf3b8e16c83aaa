package org.understudy.wsrf.notification;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.notification.delivery.Delivery;
import org.understudy.notification.delivery.Sink;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * Delivers the messages of a subscription to a pull point of this group: by an update instead of a request to itself. The
 * same update stores the subscription's progress, so that a message delivered again after a failover is not added twice.
 */
final class PullPointSink implements Sink {
  private final PullPoints points;
  private final String id;
  private final InternalUpdates updates;

  PullPointSink(PullPoints points, String id, InternalUpdates updates) {
    this.points = points;
    this.id = id;
    this.updates = updates;
  }

  @Override
  public void send(Delivery delivery, Outcome outcome) {
    AtomicReference<String> refused = new AtomicReference<>();
    AtomicReference<String> gone = new AtomicReference<>();
    updates.run(
        PullPoints.POINTS + id,
        transaction -> {
          try {
            return take(transaction, delivery);
          } catch (NotificationFault fault) {
            gone.set(fault.getMessage());
          } catch (SoapFault fault) {
            refused.set(fault.getMessage());
          }
          return false;
        },
        () -> {
          if (gone.get() != null) {
            outcome.failed(gone.get(), true);
          } else if (refused.get() != null) {
            // The pull point is full because its owner is late, which is no failed delivery; the queue before it is
            // bounded.
            outcome.postponed();
          } else {
            outcome.delivered();
          }
        },
        failure -> outcome.failed(failure.sentence(), false));
  }

  private boolean take(ResourceTransaction transaction, Delivery delivery) throws NotificationFault, SoapFault {
    String key = PullPoints.progressKey(id, delivery.subscription().id());
    byte[] kept = transaction.state(key);
    long position = delivery.notification().position();
    if (kept != null && ByteBuffer.wrap(kept).getLong() >= position) {
      return false;
    }
    points.operations(transaction).accept(id, null, List.of(delivery.notificationMessage()));
    transaction.put(key, ByteBuffer.allocate(Long.BYTES).putLong(position).array());
    return true;
  }
}
