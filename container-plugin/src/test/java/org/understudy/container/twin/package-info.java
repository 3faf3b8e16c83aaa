/** The same services on CXF alone and replicated, compared message by message. */
package org.understudy.container.twin;
