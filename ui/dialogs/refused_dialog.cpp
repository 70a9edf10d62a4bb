// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/refused_dialog.hpp"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTextStream>
#include <QVBoxLayout>

#include "ui/docks/labels.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/models/roles.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window_style.hpp"

namespace picknext::ui {

namespace {
QString from(const std::string& text) { return QString::fromStdString(text); }

QString place_text(const Place& place) {
    if (place.line <= 0) return {};
    return place.column > 0 ? QStringLiteral("%1:%2").arg(place.line).arg(place.column)
                            : QString::number(place.line);
}

/// The first sentence of a message says what is wrong; the rest how to mend it.
std::pair<QString, QString> split(const QString& message) {
    const qsizetype at = message.indexOf(QLatin1String(". "));
    if (at < 0) return {message, {}};
    return {message.left(at + 1), message.mid(at + 2)};
}
} // namespace

QString ReportModel::asText() const {
    QString text;
    for (const io::Message& m : m_report)
        text += from(m.line()) + QLatin1Char('\n');
    return text;
}

int ReportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_report.size());
}
int ReportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ReportModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const io::Message& m = message(index.row());
    if (role == KernelNameRole) return index.column() == Code || index.column() == PlaceColumn;
    if (role == Qt::TextAlignmentRole)
        return QVariant(index.column() == Count ? Qt::AlignRight | Qt::AlignVCenter
                                                : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == NowRole) return m.severity == io::Severity::error;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != CopyRole) return {};
    switch (index.column()) {
    case SeverityColumn:
        return m.severity == io::Severity::error     ? tr("error")
               : m.severity == io::Severity::warning ? tr("warning")
                                                     : tr("note");
    case Code:
        return from(m.code);
    case PlaceColumn:
        return place_text(m.place);
    case Message:
        return from(m.text);
    case Count:
        return QString::number(m.count);
    default:
        return {};
    }
}

QVariant ReportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case SeverityColumn:
        return tr("what");
    case Code:
        return tr("code");
    case PlaceColumn:
        return tr("place");
    case Message:
        return tr("message");
    case Count:
        return tr("count");
    default:
        return {};
    }
}

RefusedDialog::RefusedDialog(const QString& path, const Error& error, io::Report report,
                             const QString& stillOpen, QWidget* parent)
    : QDialog(parent) {
    const QString name = QFileInfo(path).fileName();
    setWindowTitle(tr("%1 was not opened").arg(name));
    setObjectName(QStringLiteral("refused"));
    const bool listed = std::any_of(report.begin(), report.end(),
                                    [&](const io::Message& m) { return m.severity == io::Severity::error; });
    if (!listed)
        report.insert(report.begin(),
                      io::Message{io::Severity::error, error.code, error.place, error.message, 1});
    m_report = new ReportModel(std::move(report), this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->setSpacing(10);
    auto [what, mend] = split(from(error.message));
    if (!what.isEmpty()) what[0] = what[0].toUpper(); // in a line of text it follows the place
    auto* head = new QHBoxLayout;
    auto* mark = new QLabel;
    mark->setPixmap(icon(QStringLiteral("wrong")).pixmap(QSize(18, 18), devicePixelRatioF()));
    mark->setAccessibleName(tr("Error"));
    head->addWidget(mark, 0, Qt::AlignTop);
    auto* sentence = new RankedLabel(TextRank::title);
    sentence->setText(what);
    sentence->setWordWrap(true);
    sentence->setObjectName(QStringLiteral("sentence"));
    head->addWidget(sentence, 1);
    column->addLayout(head);

    auto* facts = new QFormLayout;
    facts->setHorizontalSpacing(16);
    facts->setLabelAlignment(Qt::AlignLeft);
    const auto fact = [&](const QString& title, const QString& text, TextRank rank) {
        if (text.isEmpty()) return;
        auto* label = new RankedLabel(TextRank::second);
        label->setText(title);
        auto* value = new RankedLabel(rank);
        value->setText(text);
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        facts->addRow(label, value);
    };
    QString where = name;
    if (const QString at = place_text(error.place); !at.isEmpty()) where += QLatin1Char(':') + at;
    if (!error.place.pointer.empty()) where += QStringLiteral("  ") + from(error.place.pointer);
    if (!error.code.empty()) where += QStringLiteral(" · ") + from(error.code);
    fact(tr("Where"), where, TextRank::fixedSmall);
    fact(tr("Mend"), mend, TextRank::body);
    column->addLayout(facts);
    if (QWidget* lines = excerpt(path, error.place)) column->addWidget(lines);

    auto* table = new TsvTable;
    table->setModel(m_report);
    table->setAccessibleName(tr("Report"));
    table->horizontalHeader()->setSectionResizeMode(ReportModel::Message, QHeaderView::Stretch);
    for (const int c :
         {ReportModel::SeverityColumn, ReportModel::Code, ReportModel::PlaceColumn, ReportModel::Count}) {
        table->resizeColumnToContents(c);
        table->setColumnWidth(c, table->columnWidth(c) + 14); // what the header's padding takes
    }
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table->setMinimumHeight((fontMetrics().height() + 6) * 5);
    column->addWidget(table, 1);

    auto* foot = new QHBoxLayout;
    auto* kept = new RankedLabel(TextRank::second);
    kept->setText(stillOpen.isEmpty() ? QString() : tr("%1 is still open, unchanged.").arg(stillOpen));
    kept->setWordWrap(true);
    foot->addWidget(kept, 1);
    auto* save = new QPushButton(tr("Save report…"));
    save->setAutoDefault(false);
    connect(save, &QPushButton::clicked, this, &RefusedDialog::saveReport);
    foot->addWidget(save);
    auto* close = new QPushButton(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    foot->addWidget(close);
    column->addLayout(foot);
    resize(fontMetrics().averageCharWidth() * 100, 480);
    close->setFocus();
}

/// Two lines before and after the place, numbered, the line in question marked. Null where there is nothing
/// to show.
QWidget* RefusedDialog::excerpt(const QString& path, const Place& place) {
    QFile file(path);
    if (place.line <= 0 || !file.open(QIODevice::ReadOnly | QIODevice::Text)) return nullptr;
    QStringList lines;
    int marked = -1;
    QTextStream text(&file);
    for (int n = 1; n <= place.line + 2 && !text.atEnd(); ++n) {
        const QString line = text.readLine(4000);
        if (n < place.line - 2) continue;
        if (n == place.line) marked = static_cast<int>(lines.size());
        lines << QStringLiteral("%1  %2").arg(n, 6).arg(line.left(400));
    }
    if (marked < 0) return nullptr;
    auto* view = new QPlainTextEdit;
    view->setReadOnly(true);
    view->setAccessibleName(tr("Lines around the place"));
    const Theme theme = Theme::of(*this);
    view->setFont(theme.fixed);
    view->setLineWrapMode(QPlainTextEdit::NoWrap);
    view->setPlainText(lines.join(QLatin1Char('\n')));
    view->setFixedHeight(QFontMetrics(theme.fixed).lineSpacing() * static_cast<int>(lines.size()) + 28);
    QTextEdit::ExtraSelection line;
    line.format.setBackground(theme.errbg);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    line.cursor = QTextCursor(view->document()->findBlockByNumber(marked));
    QList<QTextEdit::ExtraSelection> marks{line};
    if (place.column > 0) {
        QTextEdit::ExtraSelection spot;
        spot.cursor = line.cursor;
        spot.cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor,
                                 qMin(8 + place.column - 1, line.cursor.block().length() - 1));
        spot.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        spot.format.setForeground(theme.err);
        spot.format.setFontUnderline(true);
        marks << spot;
    }
    view->setExtraSelections(marks);
    return view;
}

void RefusedDialog::saveReport() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save report"), QStringLiteral("report.txt"));
    if (path.isEmpty()) return;
    const auto written = io::write_file(path.toStdString(), m_report->asText().toStdString());
    if (!written) setWindowTitle(from(written.error().text()));
}

} // namespace picknext::ui
