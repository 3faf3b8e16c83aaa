/** Messages packed into batches, and batches cut into pieces, for channels whose transport has a window and a largest message. */
package org.understudy.channel.batch;
