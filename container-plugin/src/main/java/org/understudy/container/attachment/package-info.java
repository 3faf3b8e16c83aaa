/** Selects the endpoints of the application that are replicated, and connects their service objects with the group. */
package org.understudy.container.attachment;
