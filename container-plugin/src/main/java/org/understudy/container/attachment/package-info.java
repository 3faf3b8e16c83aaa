/** Endpoints that the application publishes itself: which of them are to be replicated, and what is replicated of them. */
package org.understudy.container.attachment;
